"""The ready screen of a lab whose traces have layers: a lab's room and stage begin with these."""
