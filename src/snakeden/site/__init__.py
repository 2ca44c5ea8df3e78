"""Snakeden without a server: the rules, games and engines of the page inside a browser."""
