"""What a check gives back.

============  ==========================================
``report``    `Report`
``results``   what was found and reached, as data
``findings``  findings, grades and codes
``dedupe``    findings that tell the same
``render/``   a report as text, JSON, SARIF, JUnit, HTML
============  ==========================================
"""
