"""What passes and backends ask about a block; nothing is changed.

===================  ==============================================
``liveness``         which values and nodes are needed
``aliasing``         which values may share memory or be written
``dependence``       whether an output depends on an input
``object_identity``  values that a program can tell from equal ones
===================  ==============================================
"""
