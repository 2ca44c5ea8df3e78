"""Run by Alembic, with the engine that `snakeden.server.database` hands in."""

from alembic import context

from snakeden.server.tables import metadata

with context.config.attributes["engine"].begin() as connection:
    context.configure(
        connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True
    )
    with context.begin_transaction():
        context.run_migrations()
