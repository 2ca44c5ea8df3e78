"""Scenes are plain data; `svg`, `image`, `terminal` and `sheets` draw them and know no game."""
