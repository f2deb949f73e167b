"""Kernels that another process compiles, while the program goes on with NumPy.

Takes the texts and types of kernels, as data; gives object files.  There is one such process for all functions of a program; it
is started for the first kernel that is hot, imports nothing of the user's, and ends with the program.

================= ======================================================
``messages``      what the two processes tell each other, as bytes
``compiler``      the process as the program sees it: requests, answers, ends
``connection``    the start of the process, and the socket to it
``turn``          the kernels of one function, which ask one after the other
``worker``        what runs in the other process
================= ======================================================
"""
