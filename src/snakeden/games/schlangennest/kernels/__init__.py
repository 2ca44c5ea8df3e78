"""The rules as kernels: plain functions that `snakeden.programs` compiles for a CPU, a GPU or WebAssembly."""
