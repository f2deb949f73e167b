"""Interfaces of astrace besides Python code: the command line and pytest.

Nothing below imports from here.

===================  ===============================================
``cli``              the command ``astrace``; ``astrace check``
``cli_targets``      the targets of ``astrace check``
``run_script``       a script with packages compiled
``bundle_commands``  ``astrace save``, ``inspect``, ``verify`` and ``run`` for bundles
``cache_command``    ``astrace cache``
``pytest_plugin``    ``pytest --astrace-check``
``packages_plugin``  ``pytest --astrace-packages``
``pytest_results``   findings as outcomes of tests
``atomic_files``     files that are written as a whole or not at all
===================  ===============================================
"""
