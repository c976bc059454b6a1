"""Writes vectors.json: the flags that ioos_qc gives to three series of 10,000 readings with planted
faults, which the test makes too. Run with ioos_qc 3.0.0: python vectors.py > vectors.json

ioos_qc flags the end of each window of a flat line; vane flags the whole run, so each run gets the
gravest flag of its readings."""

import json

import numpy as np
from ioos_qc import qartod

COUNT = 10_000
HOUR, DAY = 3600, 86_400


def uniform(count, seed):
    """Numbers of [0, 1) by a linear congruential generator that the test repeats."""
    numbers = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        numbers.append(seed / 2**32)
    return numbers


def series(seed, step_s):
    """A random walk in steps of 0.25 km/h, with faults of each kind at random places."""
    draws = uniform(8 * COUNT, seed)
    average, gust, heading = [], [], []
    speed, turn = 80, 180
    for i in range(COUNT):
        a, b, c, d, e, f, g, h = draws[8 * i : 8 * i + 8]
        speed = min(400, max(48, speed + int(9 * a) - 4))
        turn = (turn + int(21 * b) + 350) % 360
        average.append(speed / 4)
        gust.append(speed / 4 + 6 + int(40 * c) / 4)
        heading.append(turn)
        if d < 0.01:
            average[i] += int(1400 * e) / 4
            gust[i] = average[i] + int(1600 * f) / 4
        elif d < 0.012:
            average[i], gust[i] = -average[i], -1
        elif d < 0.014:
            heading[i] = 361 + int(20 * e)
        elif d < 0.03:
            average[i] = None
        elif d < 0.04:
            gust[i] = None
        start = max(0, i - int(80 * h))
        if g < 0.004:
            for j in range(start, i + 1):
                average[j], gust[j] = (20.25, 30) if g < 0.002 else (25 + (j % 7) / 4, 40)
                if g >= 0.002:
                    heading[j] = 123
            if e < 0.5:
                average[(start + i) // 2] = None
    if step_s == 300:
        for start, length in ((500, 560), (1500, 580), (3000, 4100)):
            for j in range(start, start + length):
                average[j] = gust[j] = 0
    columns = [[np.nan if value is None else value for value in one] for one in (average, gust, heading)]
    return np.arange(COUNT) * step_s, *map(np.array, columns)


def grave(flags):
    """The flags 3 and 4 of a test; any other is 1."""
    filled = np.ma.filled(flags, 1)
    return np.where((filled == 3) | (filled == 4), filled, 1)


def listed(*tests):
    """The gravest flags of tests, as [first reading, number of readings, flag]."""
    flags = np.max([grave(test) for test in tests], axis=0)
    runs = np.split(np.arange(COUNT), np.flatnonzero(np.diff(flags)) + 1)
    return [[int(run[0]), len(run), int(flags[run[0]])] for run in runs if flags[run[0]] != 1]


def flat(values, takes_part, times, suspect_s, fail_s):
    """Flags of whole runs of equal values. A reading that takes no part ends a run; a missing value
    (takes_part is NaN) does not."""
    unequal = -1e6 - np.arange(COUNT)
    tested = np.where(np.isnan(takes_part), np.nan, np.where(takes_part == 1, values, unequal))
    flags = grave(qartod.flat_line_test(tested, times, suspect_s, fail_s, 0.01))
    whole = np.ones(COUNT, dtype=int)
    known = np.flatnonzero(~np.isnan(tested))
    for run in np.split(known, np.flatnonzero(np.diff(tested[known])) + 1):
        whole[run] = flags[run].max()
    return whole


def condition(holds, *needed):
    """1 where a condition holds, 0 where not, NaN where a value that it needs is missing."""
    return np.where(np.isnan(needed).any(axis=0), np.nan, holds)


def vector(seed, step_s):
    times, average, gust, heading = series(seed, step_s)
    turning = condition(gust > 4, average, gust)
    windy = condition(average > 10, average, heading)
    calm = condition((average == 0) & (gust == 0), average, gust)
    return {
        "seed": seed,
        "stepS": step_s,
        "range": listed(
            qartod.gross_range_test(average, (0, 270), (0, 140)),
            qartod.gross_range_test(gust, (0, 450), (0, 250)),
            qartod.gross_range_test(heading, (0, 360)),
        ),
        "rate": listed(qartod.rate_of_change_test(average, times, 0.15, 0.3)),
        "spike": listed(
            qartod.spike_test(average, 30, 60, method="differential"),
            qartod.spike_test(gust, 60, 120, method="differential"),
        ),
        "flat": listed(
            flat(average, turning, times, HOUR, 3 * HOUR),
            flat(heading, windy, times, HOUR, 3 * HOUR),
            flat(average, calm, times, 2 * DAY, 14 * DAY),
        ),
    }


vectors = [vector(1, 240), vector(2, 240), vector(3, 300)]
print("[\n" + ",\n".join(map(json.dumps, vectors)) + "\n]")
