"""A report written down: ``text`` for people, ``data`` (JSON), ``sarif``, ``junit``, ``page`` (HTML), ``github``.

Each takes a `Report` and gives a string; none of them runs or reads anything else than the source lines.
"""
