"""The languages, the words that they explain, and the sums that a text prints."""
