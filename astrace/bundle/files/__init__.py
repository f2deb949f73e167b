"""Bundles as files: a folder or one zip file, with a manifest that tells every member's size and hash.

===============  =======================================================
``manifest``     ``manifest.json``
``members``      names and hashes of files
``archive``      the zip file
``reader``       opening a folder or a zip file
``writer``       writing them so that the old or the new one is there
``asset_store``  the files of operators, as files that they can open
``disk``         the calls of the operating system for that
===============  =======================================================
"""
