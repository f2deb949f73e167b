"""``astrace completion bash|zsh|fish``: a script that has a shell complete commands, options and files.

    eval "$(astrace completion bash)"

The script is made of the parsers, so it knows what they know.
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
    case "$command ${{COMP_WORDS[COMP_CWORD-1]}}" in
{values}
    esac
    local options=""
    case "$command" in
{cases}
        *) options="{commands}";;
    esac
    COMPREPLY=($(compgen -W "$options" -- "$word"))
    case "$command" in {fileless}) return;; esac
    if [[ -n "$command" && "$word" != -* ]]; then COMPREPLY+=($(compgen -f -- "$word")); fi
}}
complete -o filenames -F _astrace astrace"""
ZSH: Final = "autoload -U +X bashcompinit && bashcompinit\n"
"""What lets zsh read a completion for bash."""


def add_command(commands: Any) -> None:
    """Add ``completion`` to the commands of a parser, all of which it completes."""
    what = "print a script for a shell that completes commands and options"
    own = commands.add_parser("completion", help=what, description=f"{what.capitalize()}.")
    own.add_argument("shell", choices=("bash", "zsh", "fish"))

    def run(options: argparse.Namespace) -> int:
        print(script(commands.choices, options.shell))
        return 0

    own.set_defaults(run=run)


def script(parsers: Mapping[str, argparse.ArgumentParser], shell: str) -> str:
    """Return the script for a shell.

    Args:
        parsers: those of the commands, by name.
        shell: ``bash``, ``zsh`` or ``fish``.
    """
    known = {name: list(_words(one)) for name, one in parsers.items()}
    if shell == "fish":
        return "\n".join([*_fish(known), *_fish_values(parsers)])
    cases = "\n".join(f'        {name}) options="{" ".join(words)}";;' for name, words in known.items())
    text = BASH.format(
        names="|".join(known),
        cases=cases,
        commands=" ".join([*known, "--help", "--version"]),
        values="\n".join(_bash_values(parsers)),
        fileless="|".join(name for name, one in parsers.items() if not _takes_files(one)),
    )
    return ZSH + text if shell == "zsh" else text


def _values(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield each option that takes one of a few values, with these."""
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        if action.choices:
            yield from ((option, " ".join(map(str, action.choices))) for option in action.option_strings)


def _bash_values(parsers: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    for name, parser in parsers.items():
        for option, values in _values(parser):
            yield f'        "{name} {option}") COMPREPLY=($(compgen -W "{values}" -- "$word")); return;;'


def _takes_files(parser: argparse.ArgumentParser) -> bool:
    """Return whether something may follow a command that is neither an option nor one of a few words."""
    return any(not one.option_strings and not one.choices for one in parser._actions)  # pyright: ignore[reportPrivateUsage]


def _words(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the words that may follow a command: its options, and its own commands or choices."""
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


def _fish_values(parsers: Mapping[str, argparse.ArgumentParser]) -> Iterator[str]:
    """Yield the lines for options that take one of a few values."""
    for name, parser in parsers.items():
        for option, values in _values(parser):
            if option.startswith("--"):
                yield f'complete -c astrace -n "__fish_seen_subcommand_from {name}" -l {option[2:]} -x -a "{values}"'
