"""Random stations, whose readings climate.py, hours.py and spells.py make, and the tests too."""

import numpy as np
import pandas as pd


def draws(seed):
    """Numbers of [0, 1) by a linear congruential generator that the tests repeat."""
    while True:
        seed = (seed * 1664525 + 1013904223) % 2**32
        yield seed / 2**32


def slots(station):
    """The slots in which a station may send a reading: number, second, and whether in a gap."""
    stop, steps = station["days"] * 86_400, station["steps"]
    slot = at = 0
    while at < stop:
        yield slot, at, any(first <= slot < last for first, last in station["gaps"])
        at += steps[min(len(steps) - 1, at * len(steps) // stop)]
        slot += 1


def usual(differences):
    """The most frequent difference, to 10 s, and how often it came; of equals the shortest."""
    rounded = np.maximum(1, np.floor(np.asarray(differences) / 10 + 0.5)) * 10
    counts = pd.Series(rounded).value_counts()
    if counts.empty:
        return 0, 0
    return int(counts[counts == counts.max()].index.min()), int(counts.max())
