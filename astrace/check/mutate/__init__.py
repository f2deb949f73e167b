"""Changes of the world around the function, one at a time, for the length of a trial.

====================  ==============================
``perturb``           one place holds something else
``alternatives``      other contents for a place
``guard_mutations``   changes that break a guard
``immutable_places``  places that cannot change
``data_files``        changes of files
====================  ==============================
"""
