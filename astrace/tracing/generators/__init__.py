"""Iterators, generators and comprehensions.

=====================  ==================================================
``generators``         generators whose items go to a consumer one by one
``iterators``          an iterator that is used up
``iterator_creation``  what an iterator looks at when it is made
``iter_protocol``      results of ``__iter__``
``gathering``          items that are made before a builtin works on them
``stop_iteration``     ``StopIteration`` inside ``map`` and generators
``suspended_frames``   frames that are suspended while another is traced
``chain``              ``itertools.chain``
=====================  ==================================================
"""
