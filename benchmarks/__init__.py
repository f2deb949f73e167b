"""The costs of capture and of captured functions, each figure beside that of a peer timed in the same run.

    python -m benchmarks.report                             print all tables, as Markdown
    python -m benchmarks.report --write docs/benchmarks.md  put them into that file as well
    python -m pytest benchmarks                             the same subjects under pytest-benchmark

==================  ==================================================================
``report``          the command
``imports``         ``import astrace`` beside ``import numpy``
``programs``        the four stages by source line; the first call beside the plain call
``first_calls``     the first call beside those of other compilers
``calls``           what a hot call adds to the generated function
``loops``           capture by trip count; the time of one iteration
``writes``          writes to arrays in loops, by the length of the array
``native_times``    kernels with hot loops as machine code
``written_times``   loops that call functions which machine code has in other functions
``native_scaling``  the same from a hundred items to ten millions, with a chart
``kernel_calls``    what a call of a kernel adds to the work
``peers``           kernels through ``numba.njit``, and by hand for Numba and JAX
``numba_kernels``   those by hand for Numba
``fields``          fields written in place and solved by levels, as models do it
``numba_fields``    the same by hand for Numba
``numpy_source``    generated source beside the user's, for kernels and programs
``kernel_times``    numerical programs, plain and compiled
``kernels``         those programs
``growth``          capture of long chains, and of diamonds
``stages``          one capture with a clock on each stage
``timing``          medians, with everything compared timed in turn
``made``            functions made from text
``tables``          Markdown
``charts``          line charts as SVG
==================  ==================================================================
"""
