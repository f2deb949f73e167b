"""Causes of differences: the constant, guard or node, with file and line.

Takes a call that fails; gives a finding.

======================  ====================================================
``diagnosis``           a finding of a difference
``blame``               the constant, guard or node that made it
``without_graph``       the argument, where there is no graph
``bisect``              the first node with a wrong value
``constant_diff``       constants of two captures side by side
``frozen_assumptions``  guards on data that a graph takes for granted
``suspects``            constants and decisions of a graph that may go stale
``deciding_line``       the line that decides by an argument
``cached_functions``    what a cached result depends on
``writers``             functions that change globals and attributes
======================  ====================================================
"""
