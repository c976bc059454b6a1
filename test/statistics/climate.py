"""Writes climate.json, the exceedances and climate tables that statistics are tested against, with
pandas. Run with pandas 2: python climate.py > climate.json"""

import numpy as np
import pandas as pd

from cases import lines
from stations import draws, slots, usual

THRESHOLDS = [8, 30, 55]
GUSTS = [16 * 3.6, 28 * 3.6]
HOUR = 3600

STATIONS = [
    # Begins and ends within a month; months of 79 % and 81 %, one without a reading, and thin ones.
    {"zone": "Europe/Paris", "start": "2020-02-10T13:07:00Z", "days": 1241, "steps": [600],
     "jitter": 9, "loss": 0.004, "seed": 3,
     "gaps": [[7200, 8110], [11_900, 12_700], [24_000, 31_000], [88_000, 88_003], [99_000, 99_400]]},
    # Summer in January; the step changes in the middle of a month.
    {"zone": "Pacific/Auckland", "start": "2021-06-30T12:00:00Z", "days": 730, "steps": [1200, 1800],
     "jitter": 0, "loss": 0.02, "seed": 5, "gaps": [[5000, 5600], [40_000, 40_030]]},
    # Readings every hour, in a zone whose clock changes at midnight.
    {"zone": "America/Asuncion", "start": "2019-01-01T03:00:00Z", "days": 1460, "steps": [3600],
     "jitter": 20, "loss": 0.05, "seed": 13, "gaps": [[0, 200], [9000, 9150]]},
]


def readings(station):
    """Seconds since the start, average, gust and heading of each reading; NaN if missing."""
    draw = draws(station["seed"])
    stop = station["days"] * 86_400
    rows = []
    average = gust = heading = 0
    for slot, at, is_in_gap in slots(station):
        late, lost, missing = int(next(draw) * (station["jitter"] + 1)), next(draw), next(draw)
        if slot % 5 == 0:
            average = 60 * next(draw) ** 2
            gust = average * (1 + next(draw))
            heading = int(next(draw) * 140) + 200 + at // 20_000_000
        if at + late < stop and lost >= station["loss"] and not is_in_gap:
            rows.append((
                at + late,
                np.nan if missing < 0.01 else average,
                np.nan if 0.005 < missing < 0.02 else gust,
                np.nan if missing > 0.995 else heading,
            ))
    return pd.DataFrame(rows, columns=["at", "average", "gust", "heading"])


def exceedances(table, value, step_of, group_of, day_of, midnights, lengths):
    """By group, a row for each threshold: hours, share, days, days of an hour."""
    known = table[table["average"].notna()]
    at = known["at"].values
    steps = np.array([step_of(key) for key in group_of(at)])
    latest = np.r_[0, at[:-1]]
    length = at - latest
    after_gap = length > 1.5 * steps
    begin = np.where(after_gap, at - steps, latest)
    beside = after_gap & (begin > latest)
    beside[0] = True
    # The last second before a gap, the first one after it, and the reading that each is of.
    ends = np.flatnonzero(beside[1:])
    edges = pd.DataFrame({
        "ms": np.r_[at[ends] - 1, begin[beside], at[-1] - 1],
        "reading": np.r_[ends, np.flatnonzero(beside), len(at) - 1],
    })
    edges = edges[edges["ms"] >= 0]
    # At most one midnight lies in the time of a reading.
    middle = midnights[np.minimum(np.searchsorted(midnights, begin, side="right"), len(midnights) - 1)]
    cut = np.minimum(np.maximum(middle, begin), at)
    speed = known[value].values
    pieces = pd.DataFrame({
        "begin": np.r_[begin, cut],
        "length": np.r_[cut - begin, at - cut],
        "speed": np.r_[speed, speed],
    })
    pieces = pieces[pieces["length"] > 0]
    pieces["group"] = group_of(pieces["begin"].values)
    pieces["day"] = day_of(pieces["begin"].values)
    seen = pd.DataFrame({
        "group": group_of(table["at"].values), "day": day_of(table["at"].values),
        "speed": table[value].values,
    })
    answer = {}
    for key, whole in lengths.items():
        rows = []
        for threshold in THRESHOLDS if value == "average" else GUSTS:
            mine = pieces[(pieces["group"] == key) & (pieces["speed"] >= threshold)]
            near = edges[speed[edges["reading"]] >= threshold]
            near = near[group_of(near["ms"].values) == key]
            slack = set(day_of(near["ms"].values))
            by_day = mine.groupby("day")["length"].sum()
            some = seen[(seen["group"] == key) & (seen["speed"] >= threshold)]
            total = float(mine["length"].sum())
            hour_days = sum(
                sum_ + (step_of(key) if day in slack else 0) >= HOUR for day, sum_ in by_day.items()
            )
            rows.append([total / HOUR, total / whole, int(some["day"].nunique()), int(hour_days)])
        answer[str(key)] = rows
    return answer


def tell(station):
    table = readings(station)
    stop = station["days"] * 86_400
    start = pd.Timestamp(station["start"])
    local = lambda at: pd.DatetimeIndex(
        start + pd.to_timedelta(np.asarray(at, dtype="int64"), unit="s")
    ).tz_convert(station["zone"])
    day_of = lambda at: local(at).strftime("%Y-%m-%d").values
    month_of = lambda at: local(at).strftime("%Y-%m").values
    own_step = usual(np.diff(table["at"]))[0]

    # The seconds at which the days and months of the zone begin.
    first = local([0])[0].tz_localize(None).replace(day=1, hour=0, minute=0)
    seconds = lambda walls: ((walls.tz_localize(
        station["zone"], nonexistent="shift_forward", ambiguous=True
    ).tz_convert("UTC") - start) // pd.Timedelta(seconds=1)).values
    midnights = seconds(pd.date_range(first, periods=2000, freq="D"))
    firsts = pd.date_range(first, periods=60, freq="MS")
    bounds = seconds(firsts)
    months = {}
    for name, low, high in zip(firsts.strftime("%Y-%m"), bounds, bounds[1:]):
        if low < stop:
            months[name] = (max(0, low), min(stop, high), high - low)
    at = table["at"].values
    steps = {}
    for name, (low, high, _) in months.items():
        step, count = usual(np.diff(at[(at >= low) & (at < high)]))
        steps[name] = step if count >= 5 else own_step

    every = lambda at: np.zeros(len(at), dtype=int)
    by_none = lambda value: exceedances(
        table, value, lambda _: own_step, every, day_of, midnights, {0: stop}
    )["0"]
    lengths = {name: high - low for name, (low, high, _) in months.items()}
    by_month = lambda value: exceedances(
        table, value, steps.__getitem__, month_of, day_of, midnights, lengths
    )
    gusts = by_month("gust")

    rows = []
    month_names = month_of(at)
    for name, (low, high, whole) in months.items():
        mine = table[month_names == name]
        known = mine["at"][mine["average"].notna()].values
        points = np.r_[low, known, high]
        gaps = np.diff(points)
        step = steps[name]
        lost = gaps[gaps > 1.5 * step] - step
        covered = high - low - lost.sum() if len(mine) > 0 else 0
        windy = mine[(mine["average"] >= 1) & mine["heading"].notna()]
        angle = np.radians(windy["heading"])
        best = mine["gust"].idxmax() if mine["gust"].notna().any() else None
        rows.append({
            "month": int(name[-2:]), "whole": int(whole), "covered": float(covered),
            "mean": mine["average"].mean(), "east": np.sin(angle).mean(),
            "north": np.cos(angle).mean(),
            "gust": None if best is None else float(mine["gust"][best]),
            "gust_at": None if best is None else int(mine["at"][best]),
            "gust_heading": None if best is None else float(mine["heading"][best]),
            "days": [row[2] for row in gusts[name]],
        })
    frame = pd.DataFrame(rows)
    climate = []
    for month in range(1, 13):
        mine = frame[frame["month"] == month]
        good = mine[mine["covered"] / mine["whole"] >= 0.8]
        best = mine["gust"].astype(float).idxmax() if mine["gust"].notna().any() else None
        number = lambda value: None if value is None or np.isnan(value) else float(value)
        climate.append([
            len(good), len(mine) - len(good), number(good["mean"].mean()),
            number(np.degrees(np.arctan2(good["east"].mean(), good["north"].mean())) % 360),
            *(number(value) for value in (
                (None, None, None) if best is None
                else (mine["gust"][best], mine["gust_at"][best], mine["gust_heading"][best])
            )),
            *([None, None] if good.empty else [
                float(np.mean([days[i] for days in good["days"]])) for i in range(2)
            ]),
            number(mine["covered"].sum() / mine["whole"].sum()) if len(mine) > 0 else None,
        ])
    return {
        **station,
        "average": {"": by_none("average"), "month": list(by_month("average").values())},
        "gust": {"": by_none("gust"), "month": list(gusts.values())},
        "shares": [round(float(row["covered"] / row["whole"]), 4) for row in rows],
        "climate": climate,
    }


print(lines(tell(station) for station in STATIONS))
