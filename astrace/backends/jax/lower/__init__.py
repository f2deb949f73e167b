"""From a block to a program: one rule for each op, one module for each kind of control flow."""
