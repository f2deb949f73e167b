"""Calls to try: examples varied in directed ways, then Hypothesis.

Takes example calls; gives more calls, the likeliest to fail first.

=====================  ===================================================
``guess``              arguments where none are given
``argument_variants``  other values for one Python argument
``call_variants``      variations of a whole call
``numeric``            special numbers in every array
``code_constants``     constants of the function's own code
``strategies``         Hypothesis strategies
``search``             all of them in turn; failing calls are made smaller
``coverage``           branches, loops and guards that inputs reached
=====================  ===================================================
"""
