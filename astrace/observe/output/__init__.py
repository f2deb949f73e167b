"""A trace for people and for other programs.

================  ==========================================================================================
``html``          for notebooks, and as a page
``shown``         the parts of records that it shows
``pictures``      arrays in it
``json_``         JSON
``tables``        pandas, and Chrome's trace viewer
``difference``    two traces compared
================  ==========================================================================================
"""
