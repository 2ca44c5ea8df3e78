"""What every game is built on: the protocol, errors, options, kernels and geometry. Knows no game."""
