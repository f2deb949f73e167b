"""Products of matrices and vectors: in what order the library adds up, and machine code that does the same.

===================  ================================================
``long_orders``      in what order long vectors are added up, by trial
``outer_code``       machine code of its own, which kernels call by a name
``outer_loops``      what such code is written of
``outer_products``   products of wide matrices in it
``outer_sums``       products of long vectors in it
``outer_vectors``    products of a matrix and a vector in it
``product_loops``    calls of NumPy's loops, or of such code
``row_orders``       in what order each row of up to eight is added up, by trial
``vector_orders``    in what order larger matrices beside a vector are added up, by trial
``wide_orders``      whether few rows times many columns are added up as few are, by trial
===================  ================================================
"""
