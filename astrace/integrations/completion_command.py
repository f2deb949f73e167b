"""``astrace completion bash|zsh|fish``: a script that has a shell complete commands, options and files.

    eval "$(astrace completion bash)"

The script is made of the parser, so it knows what that knows.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any, Final

BASH: Final = """\
_astrace() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" command="" one
    for one in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "$one" in {names}) command="$one"; break;; esac
    done
    local options=""
    case "$command" in
{cases}
        *) options="{commands}";;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    if [[ -n "$command" && "$word" != -* ]]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}}
complete -o filenames -F _astrace astrace"""
ZSH: Final = "autoload -U +X bashcompinit && bashcompinit\n"
"""What lets zsh read a completion for bash."""


def add_command(commands: Any, parser: argparse.ArgumentParser) -> None:
    """Add ``completion`` to the commands of a parser.

    Args:
        commands: those of the parser.
        parser: whose commands and options are completed.
    """
    what = "print a script for a shell that completes commands and options"
    own = commands.add_parser("completion", help=what, description=f"{what.capitalize()}.")
    own.add_argument("shell", choices=("bash", "zsh", "fish"))

    def run(options: argparse.Namespace) -> int:
        print(script(parser, options.shell))
        return 0

    own.set_defaults(run=run)


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell.

    Args:
        parser: the parser of the command.
        shell: ``bash``, ``zsh`` or ``fish``.
    """
    known = _commands(parser)
    if shell == "fish":
        return "\n".join(_fish(known))
    cases = "\n".join(f'        {name}) options="{" ".join(words)}";;' for name, words in known.items())
    text = BASH.format(names="|".join(known), cases=cases, commands=" ".join([*known, "--help", "--version"]))
    return ZSH + text if shell == "zsh" else text


def _commands(parser: argparse.ArgumentParser) -> Mapping[str, list[str]]:
    """The words that may follow each command: its options, and its own commands or choices."""
    (actions,) = (one for one in parser._actions if isinstance(one, argparse._SubParsersAction))  # pyright: ignore[reportPrivateUsage]
    parsers: Mapping[str, argparse.ArgumentParser] = actions.choices
    return {name: list(_words(one)) for name, one in parsers.items()}


def _words(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        if action.option_strings:
            yield from action.option_strings
        elif action.choices:
            yield from map(str, action.choices)


def _fish(known: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the lines of a script for fish."""
    names = " ".join(known)
    yield f'complete -c astrace -n "not __fish_seen_subcommand_from {names}" -f -a "{names}"'
    for name, words in known.items():
        yield f'complete -c astrace -n "__fish_seen_subcommand_from {name}" -a "{" ".join(words)}"'
