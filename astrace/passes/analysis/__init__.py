"""Analyses of a block, shared by passes and backends; nothing is changed.

===================  ==============================================
``liveness``         which values and nodes are needed
``aliasing``         which values may share memory or be written
``dependence``       whether an output depends on an input
``object_identity``  values that a program can tell from equal ones
``origins``          the objects from outside that values may be
``int_ranges``       between which bounds an integer lies
``facts``            what is known of integers, since tests have been made
``named_sizes``      sizes with names, and limits by them
``unset_values``     values that may not be there yet
``products``         integers as sums of products, and differences of such
``propagation``      floats whose NaN shows in what is computed from them
``changed_lists``    lists that a block changes, or keeps nowhere
``reshaping``        loops that hand on arrays of other shapes
``turns``            objects that loops carry, and that are never one
``device_arrays``    blocks that compute with arrays of JAX
===================  ==============================================
"""
