"""The dialogs of export."""
