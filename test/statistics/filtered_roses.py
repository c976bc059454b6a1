"""Writes filtered_roses.json, the wind roses of `--rose --where` and of `plot --by` that vane is tested
against, computed with DuckDB 1 or later: each reading is spread over the sectors that its arc overlaps.
Run: python filtered_roses.py > filtered_roses.json"""

import duckdb
import numpy as np

from cases import lines
from stations import draws

READINGS = 5000
STEP_S = 7800
START = "2024-05-01T00:00:00Z"
SECTORS = 8

# Conditions, each with the zone of its hours and as SQL. A calm has no direction and no gust factor.
CASES = [
    ("hour in 10..18", "Europe/Paris", "hour BETWEEN 10 AND 18"),
    ("hour in 22..5 and gust > 20kmh", "America/St_Johns", "(hour >= 22 OR hour <= 5) AND gust > 20"),
    ("avg >= 5kn and dir in W..NE", "UTC", "avg >= 9.26 AND (dir >= 270 OR dir <= 45)"),
    ("not (lull > 3ms or dir = SW)", "UTC", "NOT (lull > 10.8 OR (dir >= 213.75 AND dir < 236.25))"),
    ("avg > 400kmh", "UTC", "avg > 400"),
]
GROUPS = {
    "all": "0",
    "months": "month",
    "seasons": "(month % 12) // 3",
}

SQL = f"""
WITH clock AS (
  SELECT *, timezone($zone, TIMESTAMPTZ '{START}' + to_seconds(second)) AS clock,
    CASE WHEN avg >= 1 THEN heading END AS dir
  FROM readings
), step AS (
  SELECT CASE WHEN avg(CAST(dir % 22.5 = 0 AS INT)) >= 0.99 THEN 22.5
    WHEN avg(CAST(dir % 10 = 0 AS INT)) >= 0.99 THEN 10 ELSE 1 END AS step
  FROM clock WHERE dir IS NOT NULL
), timed AS (SELECT *, hour(clock) AS hour, month(clock) AS month FROM clock
), kept AS (
  SELECT *, {{group}} AS key, CASE WHEN avg < 10 THEN 0 WHEN avg < 20 THEN 1 ELSE 2 END AS class
  FROM timed WHERE ({{where}}) AND (avg < 1 OR dir IS NOT NULL)
), parts AS (
  SELECT key, class, sector, greatest(0,
      least(dir + step / 2, sector * {360 / SECTORS} + turn + {180 / SECTORS})
      - greatest(dir - step / 2, sector * {360 / SECTORS} + turn - {180 / SECTORS})) / step AS part
  FROM kept, step, range({SECTORS}) AS sectors(sector), (VALUES (-360), (0), (360)) AS turns(turn)
  WHERE dir IS NOT NULL
), totals AS (SELECT key, count(*) AS count, 100 * avg(CAST(avg < 1 AS INT)) AS calm FROM kept GROUP BY key
), shares AS (
  SELECT key, sector, class, 100 * sum(part) / any_value(count) AS share
  FROM parts JOIN totals USING (key) GROUP BY key, sector, class
)
SELECT key, count, calm, sector, class, share FROM totals LEFT JOIN shares USING (key) ORDER BY ALL
"""


def readings():
    """Readings of which some lack their average, direction or gust, and a fifth are calm."""
    draw = draws(5)
    rows = []
    for place in range(READINGS):
        speed, turn, gust = next(draw), next(draw), next(draw)
        avg = np.round(max(0, 45 * speed**2 - 1) * 4) / 4
        rows.append((
            place * STEP_S,
            None if place % 11 == 5 else avg,
            None if place % 13 == 6 else np.round(avg * (1 + gust) * 4) / 4,
            np.round(avg * gust * 4) / 4,
            None if place % 7 == 3 else 10 * np.floor(36 * turn**2),
        ))
    return rows


def roses(zone, where, group):
    """By the key of a group its number of readings, calms and shares by sector and class, per cent."""
    found = {}
    sql = SQL.format(group=group, where=where)
    for key, count, calm, sector, kind, share in database.execute(sql, {"zone": zone}).fetchall():
        rose = found.setdefault(key, {
            "count": count, "calm": round(calm, 9), "sectors": [[0] * 3 for _ in range(SECTORS)],
        })
        if sector is not None:
            rose["sectors"][sector][kind] = round(share, 9)
    return found


database = duckdb.connect()
database.execute("CREATE TABLE readings (second BIGINT, avg DOUBLE, gust DOUBLE, lull DOUBLE, heading DOUBLE)")
database.executemany("INSERT INTO readings VALUES (?, ?, ?, ?, ?)", readings())
print(lines([
    {"where": where, "zone": zone, **{name: roses(zone, sql, group) for name, group in GROUPS.items()}}
    for where, zone, sql in CASES
]))
