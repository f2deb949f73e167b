"""astrace where others are: the command line, pytest.

Nothing below imports from here.
"""
