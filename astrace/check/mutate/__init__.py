"""Changes of the world around the function, one at a time, for the length of a trial.

====================  ==========================
``perturb``           a change of one place
``alternatives``      other contents for a place
``guard_mutations``   changes that break a guard
``immutable_places``  places that cannot change
``data_files``        changes of files
====================  ==========================
"""
