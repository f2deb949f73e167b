"""Graphs in the formats of others: derived from the IR, stamped with what they were derived from.

=============  ==========================================================
``stamp``      the file beside an export: versions, hashes
``stablehlo``  a module of StableHLO, through `jax.export`
=============  ==========================================================
"""
