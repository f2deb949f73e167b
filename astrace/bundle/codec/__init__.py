"""Graphs and values as plain JSON data and arrays, and back; what is read is checked as it is read.

=================  ==========================================================
``graph_encoder``  ``graph.json`` from a graph
``graph_decoder``  a graph from ``graph.json``
``guard_codec``    access paths and guards as data
``spec_codec``     specs as data
``data_encoder``   values as data
``data_decoder``   values from data
``dtypes``         dtypes as data
``npy``            arrays as files
``safetensors``    weights as files
``node_rules``     what nodes may be
``shared_memory``  arrays that can't be saved, since others have their memory
``tables``         the names that data may use
``json_text``      JSON, strictly
=================  ==========================================================
"""
