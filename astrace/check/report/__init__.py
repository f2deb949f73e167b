"""The report of a check.

============  ==========================================
``report``    `Report`
``results``   findings and coverage, as data
``findings``  findings, grades and codes
``dedupe``    findings with the same cause
``render/``   a report as text, JSON, SARIF, JUnit, HTML
============  ==========================================
"""
