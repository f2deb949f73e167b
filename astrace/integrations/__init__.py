"""Interfaces of astrace besides Python code: the command line and pytest.

Nothing below imports from here.

===================  ===============================================
``cli``              the command ``astrace``
``cli_outcomes``     how commands speak and end
``check_command``    ``astrace check``
``cli_targets``      the targets of ``astrace check``
``cli_arguments``    example calls on the command line
``run_script``       a script with packages compiled
``script_process``   a script in a process of its own, and one that waits for it
``report_command``   a script run, with a page of what became of its functions
``explain_command``  what becomes of each line of a function
``notebook``         the cell magic ``%%astrace``
``doctor_command``   what is installed, switched off, and works
``completion_command``  commands and options for shells
``bundle_commands``  ``astrace save``, ``inspect``, ``verify`` and ``run`` for bundles
``cache_command``    ``astrace cache``
``pytest_plugin``    ``pytest --astrace-check``
``packages_plugin``  ``pytest --astrace-packages``
``pytest_results``   findings as outcomes of tests
===================  ===============================================
"""
