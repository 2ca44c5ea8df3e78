"""Search over kernels, for any game: playouts and counts."""
