"""Rows of NumPy: functions, ufuncs, methods of arrays.

Where a rule cannot say what NumPy gives, NumPy itself is asked, on a small sample.

==================  ===============================================================
``names``           which functions there are, and of what kind each is: names only
``rows``            the rows that the kinds of functions give
``rules``           dtypes and shapes of their results
``array_methods``   rows of methods of arrays
``method_aliases``  methods that are functions too
``array_items``     the spec of ``x[key]``
``list_arrays``     arrays of lists whose lengths are not known
``draws``           what random generators draw
``draw_results``    what their other methods give
``legacy_draws``    what ``np.random.RandomState`` draws
``own_functions``   the functions that NumPy had when it was loaded
``probe``           asking NumPy on samples
``probe_samples``   the samples
``reductions``      the ufuncs behind reductions, items that change nothing
``few_items``       what reductions of few items give, to the bit
``ufunc_loops``     dtypes in which ufuncs compute
``size_limits``     computations too large to be done while capturing
==================  ===============================================================
"""
