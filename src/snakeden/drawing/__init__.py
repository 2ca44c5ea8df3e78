"""Scenes are plain data; `svg`, `image`, `terminal` and `pages` draw or lay them out and know no game."""
