"""Functions that are not ops: whether they are pure, what they write, what they call.

===============  ============================================================
``purity``       pure and impure functions, by name and as users declare them
``mutators``     functions that set attributes, items or globals
``concurrency``  functions during which other code of the program runs
``operators``    the classes and functions that are parts of pipelines
===============  ============================================================
"""
