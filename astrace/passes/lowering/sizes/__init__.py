"""What known sizes of few items are good for.

=================  ===============================================
``inner_sizes``    the sizes that count in loops
``few_products``   products of small matrices, written out
``few_solutions``  systems of few linear equations, written out
=================  ===============================================
"""
