"""Iterators, generators and comprehensions.

=====================  =================================================
``generators``         items are handed to a consumer one by one
``iterators``          an iterator that is used up
``iterator_creation``  what an iterator looks at when it is made
``iter_protocol``      results of ``__iter__``
``stop_iteration``     ``StopIteration`` inside ``map`` and generators
``suspended_frames``   a frame that is suspended while another is traced
``chain``              ``itertools.chain``
=====================  =================================================
"""
