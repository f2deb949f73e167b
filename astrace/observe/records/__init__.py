"""What a trace holds: calls in stages, found by name and number.  Data; nothing is recorded here.

================  ==========================================================================================
``trace_call``    one call
``trace_stage``   the calls of one stage
``trace_data``    stages in order
``item_trace``    one item's way through the stages
``lookup``        access by attribute and by key
================  ==========================================================================================
"""
