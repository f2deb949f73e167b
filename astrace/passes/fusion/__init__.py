"""Elementwise statements of a lowered block that follow each other are run together, part by part.

Takes a block that `lowering` has written, before its regions are closed: a nest of loops for each array that is computed, a call
of NumPy's loop for each transcendental function.  Gives one in which such statements over the same elements are one nest, or take
turns on tiles that stay in the processor's cache, so that arrays between them are numbers, or as small as a tile.  The elements, and
the order of operations on each, stay what they are.  Knows nothing of Python's source or of machine code.
Loops over levels, each turn of which goes through all rows, take some rows after the other, with what stands around them.
What is made for a turn of a loop alone, and tests of what each turn finds the same, are put in front of the loop.

==================  ============================================================
``all_passes``      the passes in their order
``counted_items``   arrays whose items follow from their indices
``fuse``            the pass: groups of statements, at each level of regions
``statements``      which nodes are elementwise statements, and what they touch
``groups``          which statements may run together
``merging``         nests of one group as one nest
``tiles``           statements that take turns on tiles
``rows``            statements that go through the rows of arrays together
``row_statements``  which nodes are such statements, and which rows they touch
``lags``            by how many rows statements are behind others
``lines``           statements that go through the lines of rows together
``row_memory``      arrays of which some rows are enough, since such statements alone use them
``splitting``       loops over numbers, whose calls of NumPy's loops become calls for tiles
``split_loops``     such loops as they are written
``in_place``        arrays that are written in the place of the last turn's
``loop_memory``     memory that loops need at each turn
``loop_constants``  functions of what is the same at each turn
``last_items``      items that the turns before have stored
``early_tests``     tests that give a program up, as few and as early as may be
``wrapping``        loops along axes whose end meets their start, in parts
``loop_front``      the numbers and tests in front of a loop
``loop_ends``       tests at the first and at the last turn
``small_arrays/``   numbers for the elements of small arrays
==================  ============================================================
"""
