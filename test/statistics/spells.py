"""Writes spells.json, the spells that statistics are tested against, with pandas.
Run with pandas 2: python spells.py > spells.json"""

import numpy as np
import pandas as pd

from cases import lines
from stations import draws, slots, usual

STATIONS = [
    # Steps of 240 s with jitter and lost readings, over the end of a month; the clock is set back.
    {"zone": "Europe/Paris", "start": "2024-10-26T21:17:00Z", "days": 9, "steps": [240], "jitter": 7,
     "loss": 0.06, "gaps": [[40, 42], [70, 73], [100, 104], [130, 135], [200, 330]], "late": [],
     "seed": 3},
    # Readings at the limit of three missing ones, and a second to either side; the clock is set forward.
    {"zone": "America/St_Johns", "start": "2024-03-09T00:00:00Z", "days": 4, "steps": [240],
     "jitter": 0, "loss": 0, "gaps": [[20, 23], [60, 63], [100, 103], [140, 143], [170, 174],
     [230, 233], [300, 303], [400, 403], [500, 503], [600, 603], [700, 703], [800, 803]],
     "late": [[23, 119], [63, 120], [103, 121], [143, 120], [174, 0], [233, 121], [303, 120],
     [403, 121], [503, 120], [603, 121], [703, 120], [803, 121]], "seed": 5},
    # The step changes in the middle; the first and the last hours have no reading.
    {"zone": "Asia/Kathmandu", "start": "2024-01-29T18:15:00Z", "days": 5, "steps": [240, 600],
     "jitter": 3, "loss": 0.2, "gaps": [[0, 40], [1090, 10_000]], "late": [], "seed": 8},
    # Readings every hour, over two months; the clock is set back by half an hour.
    {"zone": "Australia/Lord_Howe", "start": "2024-03-20T00:30:00Z", "days": 45, "steps": [3600],
     "jitter": 20, "loss": 0.3, "gaps": [], "late": [], "seed": 13},
]
LIMITS = {"avg": 20, "max": 28}
MIN_S = {"": 0, "--for 2h": 7200}


def readings(station):
    """Seconds since the start, average and gust of each reading; NaN if missing."""
    draw = draws(station["seed"])
    stop = station["days"] * 86_400
    late_by = dict(station["late"])
    rows, average = [], 30
    for slot, at, is_in_gap in slots(station):
        jitter, lost, missing, change = (next(draw) for _ in range(4))
        if change < 1 / 16:
            average = 40 * next(draw)
        time = at + int(jitter * (station["jitter"] + 1)) + late_by.get(slot, 0)
        if time < stop and lost >= station["loss"] and not is_in_gap:
            rows.append((
                time,
                np.nan if missing < 0.03 else average,
                np.nan if 0.02 < missing < 0.1 else 1.25 * average + slot % 7,
            ))
    return pd.DataFrame(rows, columns=["at", "avg", "max"])


def spells(table, name):
    step, _ = usual(np.diff(table["at"]))
    # Any other reading is like a missing one.
    known = table.dropna(subset=["avg", name])
    held = known[name] >= LIMITS[name]
    missing = np.ceil(known["at"].diff() / step - 1.5)
    begins = held & (~held.shift(fill_value=False) | (missing > 3))
    runs = known[held].groupby(begins.cumsum()[held])
    found = runs.agg(first=("at", "first"), stop=("at", "last"), average=("avg", "mean"),
                     gust=("max", "max"))
    found["start"] = np.maximum(found["first"] - step, found["stop"].shift(fill_value=0))
    found["length"] = found["stop"] - found["start"]
    return found


def tell(station):
    table = readings(station)
    answer = {}
    for name in LIMITS:
        found = spells(table, name)
        starts = pd.Timestamp(station["start"]) + pd.to_timedelta(found["start"], unit="s")
        found["month"] = starts.dt.tz_convert(station["zone"]).dt.strftime("%Y-%m")
        answer[name] = {"all": [
            [int(row.start), int(row.stop), row.average, None if np.isnan(row.gust) else row.gust]
            for row in found.itertuples()
        ]}
        for least, seconds in MIN_S.items():
            counted = found[found["length"] >= seconds]
            lengths = (counted["length"] / 3600).groupby(counted["month"])
            answer[name][least] = {
                month: [int(part.count()), float(part.median()), float(part.sum())]
                for month, part in lengths
            }
    return {**station, "spells": answer}


print(lines(tell(station) for station in STATIONS))
