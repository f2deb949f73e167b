"""Draws from random generators in compiled code: the C structures of NumPy's and Python's, and NumPy's own functions of them.

================  =========================================================
``generators``    where a generator's state is, and whether it can be used
``c_draws``       what compiled code calls to draw
``inline_bits``   bits that compiled code makes by itself
``streams``       where the state of a random stream of Python's is
``inline_words``  the bits of such a stream
================  =========================================================
"""
