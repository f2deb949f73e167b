"""Pipelines: operators, how they were made, the files they were made from, and batches.

Takes classes and functions that a user declares; gives records of how their instances were made, as plain data, and makes
them again.  It knows nothing of graphs: what becomes of a call of an operator is decided by tracing.

=================  ==========================================================
``script``         `astrace.script`: declares operators
``pmap``           `astrace.pmap`: an operator over a batch
``batches``        calls with the items of a batch, in threads or processes
``as_function``    an operator as a pipeline of its own
``constructors``   what instances were constructed with
``choices``        the parameters whose files are captured: ``assets=``
``found_paths``    paths in arguments
``assets``         files and folders by what they hold
``installed``      which files and classes are the user's own
``plain_data``     recorded values, and what each kind of them has
``recorded``       arguments as plain data
``made_again``     arguments from plain data
``tensors``        the weights of models as plain data
``torch_layers``   the layers of PyTorch that are made from data
``torch_modules``  models of PyTorch as data, and back
``estimators``     estimators of scikit-learn as data, and back
``records``        the operators of a graph as plain data, and back
``fingerprints``   hashes of what operators hold, by attribute
``traced_state``   what they held when they were recorded
``remade``         operators made again and compared, before they are saved
``views``          arguments that share the memory of an array, which are not saved
=================  ==========================================================
"""
