"""Items, keys and masks.

==================  ======================================
``items``           keys, reading and writing a part of an array
``dynamic_slices``  slices whose bounds depend on data, items that a mask selects
``padded_lengths``  arrays whose length depends on data
==================  ======================================
"""
