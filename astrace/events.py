"""Telling what happens: through ``logging``, by topic, when someone wants to know.

``ASTRACE_LOGS=graph,recompiles`` in the environment turns topics on, each a logger ``astrace.<topic>``.
"""

from __future__ import annotations

import logging
import os
from typing import Final

from astrace.errors import InvalidArgument

TOPICS: Final = ("rewrite", "trace", "graph", "passes", "source", "guards", "recompiles", "fallback")


def emit(topic: str, message: str, detail: object = None) -> None:
    """Tell that something happened.

    Args:
        topic: one of `TOPICS`.
        message: what happened.
        detail: shown below the message; turned into text only if someone listens.
    """
    logger = logging.getLogger(f"astrace.{topic}")
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("%s%s", message, "" if detail is None else f"\n{detail}")


def configure(wanted: str | None = None) -> None:
    """Turn topics on.

    Args:
        wanted: topics with commas between them, or ``all``; by default what ``ASTRACE_LOGS`` says.

    Raises:
        InvalidArgument: there is no such topic.
    """
    wanted = os.environ.get("ASTRACE_LOGS", "") if wanted is None else wanted
    chosen = [topic.strip() for topic in wanted.split(",") if topic.strip()]
    if not chosen:
        return
    unknown = set(chosen) - {*TOPICS, "all"}
    if unknown:
        raise InvalidArgument(f"ASTRACE_LOGS: no topic {min(unknown)!r}; the topics are {', '.join(TOPICS)}")
    root = logging.getLogger("astrace")
    if not root.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("[%(name)s] %(message)s"))
        root.addHandler(handler)
    for topic in TOPICS if "all" in chosen else chosen:
        logging.getLogger(f"astrace.{topic}").setLevel(logging.DEBUG)
