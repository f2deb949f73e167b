"""What a check gives back.

============  ==========================================
``report``    `Report`
``findings``  findings, grades and codes
``dedupe``    findings that tell the same
``render/``   a report as text, JSON, SARIF, JUnit, HTML
============  ==========================================
"""
