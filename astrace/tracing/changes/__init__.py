"""Changes made while tracing, and how they are joined.

Takes what a region did to objects; gives what holds after a branch or a loop.

===================  ==============================================================
``journal``          objects made while tracing and their changes, region by region
``merge``            the results of branches, joined
``carry``            the values that a loop carries, and their types
``carried_entries``  how one of them is carried
``aliases``          writes to an object that may be one from outside
``reshaping``        ``x.shape = …``
``array_checks``     checks that nobody else has set the shape of an array
===================  ==============================================================
"""
