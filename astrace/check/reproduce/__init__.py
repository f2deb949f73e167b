"""A difference as a program that can be run.

Takes a failing call; gives Python text that imports or defines what it needs and prints both sides.

===============  ===================================================
``program``      the program
``definitions``  functions, classes and modules by import or by text
``literals``     values as Python writes them
``places``       places outside the function, read and set
===============  ===================================================
"""
