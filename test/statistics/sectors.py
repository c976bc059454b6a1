"""Writes sectors.json, the wind roses and groups of one sector that statistics are tested against,
computed with NumPy reading by reading; the frequencies of sectors in months are of pandas 2.
Run: python sectors.py > sectors.json"""

import numpy as np
import pandas as pd

from cases import lines

RANKS = [5, 10, 25, 50, 75, 90, 95, 99]
CLASSES = [5, 10, 20]


def uniform(count, seed):
    """Numbers of [0, 1) by a linear congruential generator that the test repeats."""
    numbers = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        numbers.append(seed / 2**32)
    return np.array(numbers)


def winds(count, seed, step, odd_each):
    draws = uniform(2 * count, seed).reshape(count, 2)
    average = np.round(9.5 * (-np.log(1 - draws[:, 0])) ** (1 / 1.8) * 4) / 4
    heading = step * np.floor(360 / step * draws[:, 1] ** 2)
    heading[odd_each - 1 :: odd_each] += 3
    return average, heading


def step_of(heading):
    for step in [22.5, 10]:
        if np.isclose(heading / step, np.round(heading / step)).mean() >= 0.99:
            return step
    return 1


def overlaps(heading, step, sectors):
    """The part of each reading's arc that lies in each sector, from the lengths of intersections."""
    width = 360 / sectors
    middles = np.arange(sectors) * width
    parts = np.zeros((len(heading), sectors))
    for turn in [-360, 0, 360]:
        low = np.maximum(heading[:, None] - step / 2, middles + turn - width / 2)
        high = np.minimum(heading[:, None] + step / 2, middles + turn + width / 2)
        parts += np.maximum(0, high - low) / step
    return parts


def percentile(values, weights, rank):
    """Type 7 of Hyndman and Fan, where the value at place k is the first whose weights exceed k."""
    order = np.argsort(values)
    above = np.cumsum(weights[order])
    position = (above[-1] - 1) * rank / 100
    below = np.floor(position)
    places = [np.searchsorted(above, k + 1e-9, side="right") for k in (below, below + 1)]
    low, high = values[order][np.minimum(places, len(values) - 1)]
    return low + (position - below) * (high - low)


def sector_of(average, heading, weights):
    used = weights > 0
    value, angle, weight = average[used], np.radians(heading[used]), weights[used]
    mean = np.average(value, weights=weight)
    east = np.average(np.sin(angle), weights=weight)
    north = np.average(np.cos(angle), weights=weight)
    return {
        "readings": weight.sum(),
        "mean": mean,
        "std": np.sqrt(np.average((value - mean) ** 2, weights=weight)),
        "min": value.min(),
        "max": value.max(),
        "percentiles": [percentile(value, weight, rank) for rank in RANKS],
        "prevailingDirection": np.degrees(np.arctan2(east, north)) % 360,
        "vectorSpeed": np.hypot(
            np.average(value * np.sin(angle), weights=weight),
            np.average(value * np.cos(angle), weights=weight),
        ),
    }


def frequencies(average, heading, sectors):
    """By month, the fraction of each sector of a station that reports every half hour; now and then
    a reading lacks its direction or its average."""
    table = pd.DataFrame({"average": average, "heading": heading})
    table.loc[table.index % 7 == 3, "heading"] = np.nan
    table.loc[table.index % 11 == 5, "average"] = np.nan
    month = pd.date_range("2024-05-01", periods=len(table), freq="30min").strftime("%Y-%m")
    blows = (table["average"] >= 1) & table["heading"].notna()
    direction = table.loc[blows, "heading"].values
    parts = pd.DataFrame(overlaps(direction, step_of(direction), sectors), table.index[blows])
    sums = parts.reindex(table.index, fill_value=0).groupby(month).sum()
    return sums.div(table.groupby(month).size(), axis=0).values.tolist()


def figures(count, seed, step, odd_each, sectors):
    average, heading = winds(count, seed, step, odd_each)
    blows = average >= 1
    speed, direction = average[blows], heading[blows]
    parts = overlaps(direction, step_of(direction), sectors)
    assert np.allclose(parts.sum(axis=1), 1)
    kind = np.searchsorted(CLASSES, speed, side="right")
    rose = [
        [100 * parts[kind == one, sector].sum() / count for one in range(len(CLASSES) + 1)]
        for sector in range(sectors)
    ]
    return {
        **{"readings": count, "seed": seed, "step": step, "oddEach": odd_each, "sectors": sectors},
        "calm": 100 * (count - blows.sum()) / count,
        "rose": rose,
        "frequencies": frequencies(average, heading, sectors),
        "groups": [sector_of(speed, direction, parts[:, sector]) for sector in range(sectors)],
    }


VECTORS = [
    figures(3000, 3, 22.5, 150, 12),
    figures(3000, 7, 10, 150, 16),
    figures(3000, 11, 10, 50, 16),
    figures(3000, 13, 1, 150, 8),
]
print(lines(VECTORS))
