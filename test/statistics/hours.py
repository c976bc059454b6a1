"""Writes hours.json, the hours and the coverage that statistics are tested against: second by second,
with pandas. Run with pandas 2: python hours.py > hours.json"""

import numpy as np
import pandas as pd

from cases import lines
from stations import draws, slots, usual

MIN_S = 3600
SECTORS = 8

STATIONS = [
    # Steps of 240 s with jitter, lost readings, two gaps; the clock is set back.
    {"zone": "Europe/Paris", "start": "2024-10-26T09:17:00Z", "days": 8, "steps": [240], "jitter": 7,
     "loss": 0.01, "gaps": [[200, 330], [1500, 1502]], "seed": 3},
    # Steps of 300 s; the clock is set forward, in a zone whose hours begin at 30 minutes.
    {"zone": "America/St_Johns", "start": "2024-03-09T00:00:00Z", "days": 3, "steps": [300],
     "jitter": 0, "loss": 0, "gaps": [[250, 260]], "seed": 5},
    # The step changes in the middle; the first and the last hours have no reading.
    {"zone": "Asia/Kathmandu", "start": "2024-01-30T18:15:00Z", "days": 4, "steps": [240, 600],
     "jitter": 3, "loss": 0.02, "gaps": [[0, 40], [890, 10_000]], "seed": 8},
    # Readings every hour.
    {"zone": "UTC", "start": "2024-02-28T00:30:00Z", "days": 3, "steps": [3600], "jitter": 20,
     "loss": 0.05, "gaps": [], "seed": 13},
]
KEYS = {
    "": lambda local: pd.Series(0, local.index),
    "day": lambda local: local.dt.strftime("%Y-%m-%d"),
    "month": lambda local: local.dt.strftime("%Y-%m"),
    "hour": lambda local: local.dt.strftime("%Y-%m-%dT%H%z"),
    "hour-of-day": lambda local: local.dt.hour,
}
# An hour that the clock shows twice counts as two intervals.
RUNS = {**KEYS, "hour-of-day": KEYS["hour"]}


def readings(station):
    """Seconds since the start, average (NaN if missing) and sector of each reading."""
    draw = draws(station["seed"])
    stop = station["days"] * 86_400
    rows = []
    average = sector = 0
    for slot, at, is_in_gap in slots(station):
        late, lost, missing = int(next(draw) * (station["jitter"] + 1)), next(draw), next(draw)
        if slot % 18 == 0:
            average, sector = 40 * next(draw), int(next(draw) * SECTORS)
        if at + late < stop and lost >= station["loss"] and not is_in_gap:
            rows.append((at + late, np.nan if missing < 0.01 else average, sector))
    return pd.DataFrame(rows, columns=["at", "average", "sector"])


def tell(station):
    table = readings(station)
    stop = station["days"] * 86_400
    seconds = pd.Series(pd.date_range(station["start"], periods=stop, freq="s"))
    local = seconds.dt.tz_convert(station["zone"])
    dates = local.dt.strftime("%Y-%m-%d")
    own_step = usual(np.diff(table["at"]))[0]
    answer = {}
    for name, key_of in KEYS.items():
        keys = key_of(local)
        runs = RUNS[name](local).values
        # Intervals of one key, and the readings in each.
        begins = np.flatnonzero(np.r_[True, runs[1:] != runs[:-1]])
        ends = np.r_[begins[1:], stop]
        inside = table["at"].values
        interval = np.searchsorted(begins, inside, side="right") - 1
        steps = {}
        for key in keys.unique():
            differences = np.concatenate([
                np.diff(inside[interval == i])
                for i in np.flatnonzero(keys.values[begins] == key)
            ])
            step, count = usual(differences)
            steps[key] = step if count >= 5 or keys.nunique() == 1 else own_step
        # The reading that stands for each second, and the readings beside a gap or an edge.
        known = table[table["average"].notna()].reset_index(drop=True)
        owner = np.full(stop, -1)
        beside = []
        latest = 0
        for i, at in enumerate(known["at"]):
            step = steps[keys[at]]
            length = at - latest
            if length > 1.5 * step:
                length = int(step)
            if i == 0 or at - length > latest:
                beside += [(latest - 1, i - 1), (at - length, i)]
            owner[at - length : at] = i
            latest = at
        beside.append((latest - 1, len(known) - 1))
        windy = np.r_[(known["average"] >= 20).values, False]
        held = windy[owner]
        frame = pd.DataFrame({"key": keys, "date": dates, "held": held})
        frame["sector"] = np.r_[known["sector"].values, -1][owner]
        slack = {(keys[ms], dates[ms]): steps[keys[ms]] for ms, i in beside if i >= 0 and windy[i]}
        by_day = frame.groupby(["key", "date"])["held"].sum()
        rows = {}
        for key in keys.unique():
            lost = gaps = longest = longest_at = 0
            for i in np.flatnonzero(keys.values[begins] == key):
                here = known["at"][(known["at"] >= begins[i]) & (known["at"] < ends[i])]
                points = np.r_[begins[i], here, ends[i]]
                step = steps[key] if len(here) > 0 else 0
                for start, length in zip(points[:-1], np.diff(points)):
                    if length > 1.5 * step:
                        lost, gaps = lost + length - step, gaps + 1
                        if length > longest:
                            longest, longest_at = length, start
            length = (keys == key).sum()
            total = frame["held"][keys == key].sum()
            days = sum(
                0 < sum_ and sum_ + slack.get((key, date), 0) >= MIN_S
                for date, sum_ in by_day[key].items()
            )
            rows[str(key)] = [
                int((keys.values[inside] == key).sum()),
                float(steps[key]), float((length - lost) / length), gaps, int(longest_at),
                int(longest), float(total / 3600), float(total / length), int(days),
            ]
        answer[name] = rows
        if name == "":
            sectors = frame[frame["held"]].groupby("sector").size()
            answer["sector"] = [float(sectors.get(place, 0) / 3600) for place in range(SECTORS)]
    return {**station, "groups": answer}


print(lines(tell(station) for station in STATIONS))
