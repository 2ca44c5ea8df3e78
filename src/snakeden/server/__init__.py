"""The web application: games, seats, storage, live updates. `app.create_app` makes it, `snakeden serve` runs it."""
