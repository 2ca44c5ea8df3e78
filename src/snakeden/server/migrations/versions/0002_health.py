"""A row to write to, which shows whether writing works; and an index for the games that wait in the lobby."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    health = op.create_table(
        "health",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.bulk_insert(health, [{"id": 0, "at": 0.0}])
    op.create_index("games_listed", "games", ["listed", "status", "created"])
