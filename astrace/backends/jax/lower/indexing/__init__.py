"""Rules of items, keys, views and masks.

==================  ======================================
``items``           keys, reading and writing a part of an array
``views``           other shapes of the same memory
``dynamic_slices``  slices whose bounds depend on data, items that a mask selects
``padded_lengths``  arrays whose length depends on data
==================  ======================================
"""
