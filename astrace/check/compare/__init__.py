"""Runs of a function and of what was captured of it, written down and compared.

Takes two callables and a call; gives what could be seen of each run, and the first difference.

==================  ===========================================================
``trial``           both sides on equal inputs, from the same state
``observe``         one run, and everything observable of it
``snapshots``       values written down before they change
``diff``            the first difference, and how to say it
``pair``            both sides of a check: differences, times, coverage
``beside``          results of other compilers, brought to the form of NumPy's
``other_outcomes``  the first difference that is not by another compiler's rules
==================  ===========================================================
"""
