"""Writes vectors.json, the figures that statistics are tested against: NumPy, and SciPy's brentq for
the Weibull distribution. Run with SciPy 1.17: python vectors.py > vectors.json"""

import numpy as np
from scipy.optimize import brentq

from cases import lines

RANKS = [5, 10, 25, 50, 75, 90, 95, 99]


def uniform(count, seed):
    """Numbers of [0, 1) by a linear congruential generator that the test repeats."""
    numbers = []
    for _ in range(count):
        seed = (seed * 1664525 + 1013904223) % 2**32
        numbers.append(seed / 2**32)
    return np.array(numbers)


def weibull(speeds):
    speeds = speeds[speeds > 0]
    logs = np.log(speeds)
    k = brentq(
        lambda k: (speeds**k * logs).sum() / (speeds**k).sum() - logs.mean() - 1 / k,
        1e-3, 100, xtol=1e-15, rtol=1e-15,
    )
    return k, (speeds**k).mean() ** (1 / k)


def figures(count, seed):
    draws = uniform(3 * count, seed).reshape(count, 3)
    average = np.round(9.5 * (-np.log(1 - draws[:, 0])) ** (1 / 1.8) * 4) / 4
    gust = np.round(average * (1.2 + draws[:, 1]) * 4) / 4
    heading = np.radians(np.floor(360 * draws[:, 2] ** 2))
    blows = average >= 1
    east = np.where(blows, average * np.sin(heading), 0).mean()
    north = np.where(blows, average * np.cos(heading), 0).mean()
    unit_east, unit_north = np.sin(heading[blows]).mean(), np.cos(heading[blows]).mean()
    epsilon = np.sqrt(1 - unit_east**2 - unit_north**2)
    k, a = weibull(average)
    strong = average >= 10
    return {
        "readings": count,
        "seed": seed,
        "summary": {
            "mean": average.mean(),
            "std": average.std(),
            "min": average.min(),
            "max": average.max(),
            "maxGust": gust.max(),
            "percentiles": np.percentile(average, RANKS).tolist(),
            "gustPercentiles": np.percentile(gust, RANKS).tolist(),
            "calm": (average < 1).mean(),
            "vectorSpeed": np.hypot(east, north),
            "vectorDirection": np.degrees(np.arctan2(east, north)) % 360,
            "prevailingDirection": np.degrees(np.arctan2(unit_east, unit_north)) % 360,
            "steadiness": np.hypot(east, north) / average.mean(),
            "directionStd": np.degrees(
                np.arcsin(epsilon) * (1 + (2 / np.sqrt(3) - 1) * epsilon**3)
            ),
            "gustFactor": np.median(gust[strong] / average[strong]),
            "weibullK": k,
            "weibullA": a,
            "powerDensity": 0.5 * 1.225 * ((average / 3.6) ** 3).mean(),
        },
    }


print(lines([figures(23, 3), figures(1000, 7), figures(100_000, 42)]))
