"""What one process has worked out, kept in files for the next one: bytes under the hash of all that they depend on.

Takes a key and bytes; gives the bytes back, or nothing.  Nothing is ever wrong because of the cache: an entry that is not
what was written is ignored, and so is a folder that somebody else can write to.

===========  ===========================================================
``folder``   where the cache is, and whether it can be trusted
``entries``  one entry as the bytes of a file
``store``    reading, writing and evicting entries; safe for many processes
===========  ===========================================================
"""
