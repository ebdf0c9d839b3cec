"""Maps of tokens over several layers: their study, and what is said about it."""
