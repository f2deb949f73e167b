"""A report written down.  Each module takes a `Report` and gives a string; none of them runs anything.

==========  =============================
``text``    for people
``json_``   everything, with stable names
``sarif``   SARIF 2.1.0
``junit``   JUnit XML
``html``    one page
``github``  workflow commands
==========  =============================
"""
