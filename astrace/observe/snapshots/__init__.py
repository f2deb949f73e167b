"""Values as a record keeps them: small ones copied, large ones summarised, none shared with the program.

================  ==========================================================================================
``capture``       any object becomes a snapshot
``arrays``        arrays become copies or summaries
``summaries``     what stands for values that are too large or can't be copied
``previews``      arrays as small pictures
``text``          snapshots as text for terminals
================  ==========================================================================================
"""
