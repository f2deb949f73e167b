"""Rules of items, keys, views and masks.

==================  ======================================
``items``           reading and writing a part of an array
``keys``            the parts of a key and their axes
``views``           other shapes of the same memory
``masks``           items that a mask selects
``dynamic_slices``  slices whose bounds depend on data
``padded_lengths``  arrays whose length depends on data
==================  ======================================
"""
