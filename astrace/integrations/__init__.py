"""astrace where others are: the command line, pytest.

===================  =====================================================================
``cli``              ``astrace check`` and ``astrace run``
``run``              a script with packages compiled
``targets``          what ``astrace check`` is to look at
``pytest_plugin``    ``pytest --astrace-check``
``packages_plugin``  ``pytest --astrace-packages``
===================  =====================================================================

Nothing below imports from here.
"""
