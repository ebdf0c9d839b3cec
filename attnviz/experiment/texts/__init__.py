"""The languages, the glossary, and printed sums in texts."""
