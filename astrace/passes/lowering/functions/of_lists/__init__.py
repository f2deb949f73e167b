"""What is done with lists of numbers by their methods.

===========  ==========================================
``methods``  methods, and the places of items
===========  ==========================================
"""
