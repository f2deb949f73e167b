"""Operators on values: arithmetic, attributes, items, names, containers, strings.

========================  ============================================================
``arithmetic``            arithmetic, comparison, identity, membership
``binary_dispatch``       operands with methods of the user's
``attributes``            attributes of modules, classes and instances
``array_attributes``      attributes of arrays
``builtin_attributes``    attributes of built-in objects that are known
``called_attributes``     attributes that are called
``class_attributes``      attributes of classes and modules
``attribute_errors``      ``AttributeError`` from a user's property or ``__getattr__``
``uncertain_attributes``  attributes that may have been set or deleted by opaque code
``reads``                 loads of globals, cells and items
``writes``                stores and deletions
``names``                 local names without a value
``containers``            displays; methods of lists, dicts and sets
``starred_displays``      displays with ``*`` and ``**``
``unpacking``             ``a, *b = x``
``strings``               f-strings
``text_methods``          ``str``, ``repr`` and ``format`` of objects
``matching``              what a pattern asks of its subject
``type_errors``           operations that Python refuses by the class of a value
``instance_checks``       `isinstance` and `issubclass`: metaclasses, protocols, registrations
``imports``               ``import`` inside a function
========================  ============================================================
"""
