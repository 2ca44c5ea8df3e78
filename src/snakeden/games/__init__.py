"""The games. Each folder stands alone and imports none of the others."""
