"""Values other than arrays as flat variables: tuples, lists, unions, identity.

==================  ==========================================================
``flatten``         forms as variables and back
``lists``           lists with a capacity and a length, or filled at compile time
``list_capacity``   room in lists that a loop appends to
``array_identity``  identity of the arrays that branches and loops put out
==================  ==========================================================
"""
