-- The statistics of `vane stats` by station, under the same names and in km/h, from Parquet files that
-- `vane archive --split year` wrote to wind/station=…/year=…/. For years, add `year` to each GROUP BY,
-- SELECT and USING. Coverage and gaps are not computed; use `vane stats` for those.
-- Spark 3.4 or later, with the session's time zone set to UTC.
WITH wind AS (
  SELECT station, time, wind_speed_min AS lull, wind_speed_avg AS v, wind_speed_max AS gust,
    CASE WHEN wind_speed_avg < 1 THEN 0 ELSE sin(radians(wind_heading)) END AS s,
    CASE WHEN wind_speed_avg < 1 THEN 0 ELSE cos(radians(wind_heading)) END AS c
  FROM parquet.`wind`
), speeds AS (
  SELECT station, v, count(*) AS n,
    size(filter(array(1, 6, 12, 20, 29, 39, 50, 62, 75, 89, 103, 118), lowest -> v >= lowest)) AS force
  FROM wind WHERE v IS NOT NULL GROUP BY station, v
), counts AS (
  SELECT station, collect_list(struct(force, n)) AS forces,
    collect_list(struct(v, ln(v) AS log, n)) FILTER (WHERE v > 0) AS winds
  FROM speeds GROUP BY station
), guess AS (
  SELECT station, avg(ln(v)) AS mean_log, pi() / sqrt(6) / stddev_pop(ln(v)) AS k
  FROM wind WHERE v > 0 GROUP BY station HAVING count(*) >= 20 AND min(v) < max(v)
), weibull AS (
  SELECT station, aggregate(sequence(1, 20), k, (k, step) -> aggregate(
    winds, struct(0D AS sum, 0D AS first, 0D AS second),
    (t, w) -> struct(t.sum + w.n * power(w.v, k) AS sum, t.first + w.n * power(w.v, k) * w.log AS first,
      t.second + w.n * power(w.v, k) * w.log * w.log AS second),
    t -> greatest(k / 2, k - (t.first / t.sum - mean_log - 1 / k)
      / (t.second / t.sum - power(t.first / t.sum, 2) + 1 / (k * k))))) AS k
  FROM guess JOIN counts USING (station)
), groups AS (
  SELECT station, count(*) AS readings, count(*) - count(v) AS missing,
    min(time) AS first, max(time) AS last,
    avg(v) AS mean, stddev_pop(v) AS std, min(v) AS min, max(v) AS max,
    max(gust) AS max_gust, max_by(time, struct(gust, -unix_millis(time))) FILTER (WHERE gust IS NOT NULL) AS max_gust_at, min(lull) AS min_lull,
    percentile(v, array(0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)) AS p,
    percentile(gust, array(0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)) AS g,
    avg(double(v < 1)) AS calm, median(gust / v) FILTER (WHERE v >= 10) AS gust_factor,
    avg(v * s) AS east, avg(v * c) AS north, sqrt(power(east, 2) + power(north, 2)) AS speed,
    avg(s) FILTER (WHERE v >= 1) AS unit_east, avg(c) FILTER (WHERE v >= 1) AS unit_north,
    sqrt(power(unit_east, 2) + power(unit_north, 2)) AS r, CASE WHEN r < 1 THEN sqrt(1 - r * r) WHEN r >= 1 THEN 0 END AS e,
    0.5D * 1.225D * avg(power(v / 3.6D, 3)) AS power_density
  FROM wind GROUP BY station
)
SELECT station, readings, missing, first, last, mean, std, min, max, max_gust, max_gust_at, min_lull,
  p[0] AS p5, p[1] AS p10, p[2] AS p25, p[3] AS p50, p[4] AS p75, p[5] AS p90, p[6] AS p95, p[7] AS p99,
  g[0] AS gust_p5, g[1] AS gust_p10, g[2] AS gust_p25, g[3] AS gust_p50,
  g[4] AS gust_p75, g[5] AS gust_p90, g[6] AS gust_p95, g[7] AS gust_p99,
  calm, speed AS vector_speed,
  CASE WHEN speed >= 1e-6 * mean THEN (degrees(atan2(east, north)) + 360) % 360 END AS vector_direction,
  CASE WHEN r >= 1e-6 THEN (degrees(atan2(unit_east, unit_north)) + 360) % 360 END AS prevailing_direction,
  speed / nullif(mean, 0) AS steadiness,
  degrees(asin(e) * (1 + (2 / sqrt(3) - 1) * power(e, 3))) AS direction_std,
  gust_factor, k AS weibull_k,
  power(aggregate(winds, 0D, (sum, w) -> sum + w.n * power(w.v, k), sum -> sum)
    / aggregate(winds, 0D, (sum, w) -> sum + w.n), 1 / k) AS weibull_a,
  power_density,
  CASE WHEN readings > missing THEN transform(sequence(0, 12), f -> aggregate(
    filter(forces, s -> s.force = f), 0L, (sum, s) -> sum + s.n) / (readings - missing)) END AS beaufort
FROM groups LEFT JOIN counts USING (station) LEFT JOIN weibull USING (station)
ORDER BY station;
