"""Networks that play: self-play training (PyTorch, extra `train`) and evaluators for the search (ONNX Runtime, extra
`nets`). `docs/nets.md` says how to train one."""
