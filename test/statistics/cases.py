"""Writes test vectors with one case per line, so that a diff shows which cases changed."""

import json


def lines(cases):
    """The JSON of a list, with a line for each member."""
    return "[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]"
