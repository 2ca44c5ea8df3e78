"""The games where researchers already work: Gymnasium, PettingZoo, OpenSpiel, and batches of NumPy arrays.

Every adapter numbers actions by `Move.code` and shows positions by the planes of `observations`. Each
package is imported only in the module of its name; `pip install snakeden[research]` brings them all.
"""
