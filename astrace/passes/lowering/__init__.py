"""From a block to a lowered block, which backends that compute on machine numbers share.

Takes a block of numbers and arrays; gives one of the same nodes and values with fewer kinds of node: every number
has one dtype and conversions are nodes, loops count through ranges, arrays are read and written element by element,
and where Python or NumPy would raise, warn or do anything else that machine numbers can't, a ``deopt`` node gives the
program up.  Knows no backend.

===================  ================================================
``lower``            the block as a whole
``results``          its outputs
``block``            the nodes of a lowered block, as they are written
``forms``            the forms of values in a lowered block
``control``          branches and loops
``iteration``        the iteration spaces of loops, as ranges
``lists``            lists of numbers, and of tuples of them
``array_lists``      lists of arrays of one shape
``list_uses``        which lists are more than a way to write down values
``memory``           which arrays may share memory
``rules``            leaf nodes, by the rule of their op
``integers``         integers of 64 bits, indices and sizes
``unions``           numbers that are of one type or another
``numbers``          operators on numbers
``complex_numbers``  operators on complex numbers
``arrays``           views, elementwise operations, loops over elements
``layouts``          the order in which axes run in memory, and views of the same
``broadcasts``       sizes of the arguments of a call: axes of one item, and of few
``items``            indices and slices
``gathers``          items that arrays of integers or truth values name
``closing``          captures of regions
``wording``          what stands in the way, in words
``together/``        values that branches and loops hand on
``sizes/``           what known sizes of few items are good for
``functions/``       functions of Python and NumPy
``written/``         functions of NumPy that are written in others
``drawing/``         methods of random generators
===================  ================================================
"""
