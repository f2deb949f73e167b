"""A check comes back, whatever the function does: in time, within its memory, in a process of its own.

===================  =======================================
``bounded``          a check within its bounds
``child_process``    the process of a check
``target_process``   the process of a target of a command
``report_transfer``  reports as bytes
``time_limits``      how long a check and each call may take
===================  =======================================
"""
