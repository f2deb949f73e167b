"""A trace for people and for other programs.

================  ==========================================================================================
``html``          for notebooks, and as a page
``pictures``      arrays in it
``json_``         JSON
``tables``        pandas, and Chrome's trace viewer
``difference``    two traces compared
================  ==========================================================================================
"""
