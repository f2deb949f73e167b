"""Programs that use a library where users wait for numbers: each prints the bits of what it has computed."""
