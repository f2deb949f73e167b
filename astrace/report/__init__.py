"""One page of a run: what became of each compiled function, how long it took, and each stage of each capture, line by line.

Takes compiled functions and what a recording measured of their calls; gives records, which are plain data, and a page that
shows them.  It stands above the compiler and reads what that keeps anyway; it knows nothing of checks, libraries or observing.

==================  ==========================================================================================
``recording``       `recording`: a run, from its beginning to its end
``recorder``        the clock in front of each compiled function
``call_kinds``      the calls of a function by kind, which are compared with plain Python
``snapshots``       what was recorded so far, told while the program runs
``line_sampler``    where the time of a function goes, line by line
``records``         what is told of a run, as data
``functions``       a compiled function as a record
``captures``        one capture as a record
``source_lines``    the lines of a function and of its helpers
``graph_lines``     a graph as lines, and as boxes to draw
``page``            records as one HTML file
``one_function``    the report of a single function
==================  ==========================================================================================
"""
