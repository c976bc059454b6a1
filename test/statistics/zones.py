"""Writes zones.json, the steps, weeks and seasons that zoneCalendar.ts and groups.ts are tested
against: the clock of zoneinfo is read every minute, weeks are those of datetime.isocalendar, seasons
those of pandas (quarters of a year that ends in November).
Run with Python 3.11 and pandas 3.1: python zones.py > zones.json"""

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pandas as pd

from cases import lines

MINUTE = timedelta(minutes=1)

# Nights in which clocks change, or a zone leaves out a day; Kolkata and Kathmandu never change.
NIGHTS = {
    "Europe/Paris": ["2024-03-31T01:00", "2024-10-27T01:00"],
    "America/New_York": ["2024-11-03T06:00"],
    "America/Havana": ["2024-03-10T05:00", "2024-11-03T05:00"],
    "America/St_Johns": ["2010-03-14T03:31", "2010-11-07T02:31"],
    "Australia/Lord_Howe": ["2024-04-06T15:00", "2024-10-05T15:30"],
    "Antarctica/Troll": ["2024-03-31T01:00", "2024-10-27T01:00"],
    "Pacific/Apia": ["2011-12-30T10:00"],
    "Asia/Kolkata": ["2024-06-01T18:30"],
    "Asia/Kathmandu": ["2024-06-01T18:15"],
}
STEPS = [10, 15, 30, 32, 45, 60, 80, 90, 120, 180, 360, 480, 720, 1440]

# New Years with 53 weeks (2020, 2026), with Monday 1 January (2024), and with a zone's lost day.
YEARS = {
    "UTC": ("2019-11-20", "2021-02-10"),
    "Europe/Paris": ("2023-09-15", "2025-01-20"),
    "Asia/Kolkata": ("2026-10-01", "2027-02-15"),
    "Australia/Lord_Howe": ("2023-12-20", "2024-12-10"),
    "Pacific/Apia": ("2011-12-01", "2012-03-05"),
    "America/Havana": ("2024-02-25", "2024-03-20"),
}


def steps(zone, change, minutes):
    """Begins of the steps around a change, minutes after it."""
    change = datetime.fromisoformat(change).replace(tzinfo=timezone.utc)
    key, begins, latest = None, [], datetime.min
    around = max(120, minutes)
    for minute in range(-48 * 60, around):
        wall = (change + minute * MINUTE).astimezone(ZoneInfo(zone))
        offset = wall.utcoffset()
        wall = wall.replace(tzinfo=None)
        since = (wall.hour * 60 + wall.minute) % minutes
        floor = wall.replace(second=0) - since * MINUTE
        # A longer step goes on while the clock shows a time again.
        latest = max(latest, floor)
        now = (floor, offset) if minutes <= 60 else latest
        if now != key and minute >= -around:
            begins.append(minute)
        key = now
    return begins


def groups(zone, start, stop):
    """Count and mean of readings 0, 1, 2 … 36, 0 …, one every half an hour, by week, season, and two keys."""
    utc = pd.date_range(start, stop, freq="30min", tz="UTC", inclusive="left")
    wall = utc.tz_convert(zone).tz_localize(None)
    week = [f"{year}-W{number:02}" for year, number, _ in (t.isocalendar() for t in wall)]
    season = [
        f"{quarter.qyear}-{['DJF', 'MAM', 'JJA', 'SON'][quarter.quarter - 1]}"
        for quarter in wall.to_period("Q-NOV")
    ]
    frame = pd.DataFrame({
        "week": week,
        "season": season,
        "month": wall.strftime("%Y-%m"),
        "year": wall.strftime("%Y"),
        "avg": [i % 37 for i in range(len(wall))],
    })
    return {
        ",".join(keys): frame.groupby(keys, sort=False)["avg"]
        .agg(["count", "mean"])
        .reset_index()
        .values.tolist()
        for keys in (["week"], ["season"], ["week", "month"], ["season", "year"])
    }


NIGHT_CASES = [
    {
        "zone": zone,
        "change": f"{change}Z",
        "begins": {step: steps(zone, change, step) for step in STEPS},
    }
    for zone, changes in NIGHTS.items()
    for change in changes
]
YEAR_CASES = [
    {"zone": zone, "start": start, "stop": stop, "groups": groups(zone, start, stop)}
    for zone, (start, stop) in YEARS.items()
]
print(f'{{"nights": {lines(NIGHT_CASES)},\n"years": {lines(YEAR_CASES)}}}')
