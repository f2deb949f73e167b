"""Calls of methods of random generators in a lowered block.

==================  ====================================================
``draws``           numbers, arrays of them, and items that are chosen
``legacy``          numbers that ``np.random.RandomState`` gives
``orders``          arrays in an order that is drawn
``python_streams``  numbers that Python's own streams give
==================  ====================================================
"""
