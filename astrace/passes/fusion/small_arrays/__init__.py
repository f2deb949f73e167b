"""Small arrays of known sizes as numbers, one for each element.

Takes a block as `fusion` does; gives one without loops over these arrays, whose elements other loops carry.

=================  ================================================
``number_arrays``  the pass
``few_items``      which arrays it is for
``unrolled``       loops of few turns, written out
=================  ================================================
"""
