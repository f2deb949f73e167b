"""What NumPy warns of or raises in floating-point computations: the program finds out.

===============  ==========================================================
``watch``        what is to be looked at
``warnings``     which values are compared with what they were made of
``propagation``  values that need no look since their results are looked at
===============  ==========================================================
"""
