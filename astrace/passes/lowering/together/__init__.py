"""Values that come together: out of the branches of a ``cond``, or from one iteration of a loop to the next.

Takes forms; gives machine values that are handed on, and the form that they are where they arrive.

=================  ================================================
``carry``          values that loops hand on
``merging``        how values come together, by what is known of them
``merged_values``  numbers, tuples, lists, literals, what is there or not
``array_carry``    arrays, as references
``list_arrays``    lists as arrays, and the other way round
``first_turns``    loops that leave arrays of other types than they begin with
=================  ================================================
"""
