"""The nouns: what was asked (a spec) and what came out (a trace). No torch, no Qt."""
