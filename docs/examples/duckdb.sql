-- The statistics of `vane stats` by station, under the same names and in km/h, from Parquet files that
-- `vane archive --split year` wrote to wind/station=…/year=…/. For years, add `year` to each GROUP BY,
-- SELECT and USING. Coverage and gaps are not computed; use `vane stats` for those.
SET TimeZone = 'UTC';
WITH RECURSIVE wind AS (
  SELECT station, time, wind_speed_min AS lull, wind_speed_avg AS v, wind_speed_max AS gust,
    CASE WHEN v < 1 THEN 0 ELSE sin(radians(wind_heading)) END AS s,
    CASE WHEN v < 1 THEN 0 ELSE cos(radians(wind_heading)) END AS c
  FROM read_parquet('wind/**/*.parquet', hive_partitioning = true)
), speeds AS (
  SELECT station, v, ln(v) AS log, count(*) AS n FROM wind WHERE v > 0 GROUP BY ALL
), newton AS (
  SELECT station, 0 AS step, pi() / sqrt(6) / stddev_pop(ln(v)) AS k
  FROM wind WHERE v > 0 GROUP BY station HAVING count(*) >= 20 AND min(v) < max(v)
  UNION ALL
  SELECT station, step + 1, greatest(k / 2, k - (m - mean - 1 / k) / (q - m * m + 1 / (k * k)))
  FROM (
    SELECT station, step, k, sum(n * log) / sum(n) AS mean,
      sum(n * v ** k * log) / sum(n * v ** k) AS m, sum(n * v ** k * log * log) / sum(n * v ** k) AS q
    FROM newton JOIN speeds USING (station) WHERE step < 20 GROUP BY station, step, k)
), weibull AS (
  SELECT station, k, (sum(n * v ** k) / sum(n)) ** (1 / k) AS a
  FROM newton JOIN speeds USING (station) WHERE step = 20 GROUP BY station, k
), forces AS (
  SELECT station, histogram(len(list_filter(
    [1, 6, 12, 20, 29, 39, 50, 62, 75, 89, 103, 118], lambda lowest: v >= lowest))) AS readings_of
  FROM wind WHERE v IS NOT NULL GROUP BY station
), groups AS (
  SELECT station, count(*) AS readings, count(*) - count(v) AS missing,
    min(time) AS first, max(time) AS last,
    avg(v) AS mean, stddev_pop(v) AS std, min(v) AS min, max(v) AS max,
    max(gust) AS max_gust, arg_max(time, (gust, -epoch_ms(time))) FILTER (gust IS NOT NULL) AS max_gust_at, min(lull) AS min_lull,
    quantile_cont(v, [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]) AS p,
    quantile_cont(gust, [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]) AS g,
    avg((v < 1)::INTEGER) AS calm, median(gust / v) FILTER (v >= 10) AS gust_factor,
    avg(v * s) AS east, avg(v * c) AS north, sqrt(east ** 2 + north ** 2) AS speed,
    avg(s) FILTER (v >= 1) AS unit_east, avg(c) FILTER (v >= 1) AS unit_north,
    sqrt(unit_east ** 2 + unit_north ** 2) AS r, CASE WHEN r < 1 THEN sqrt(1 - r * r) WHEN r >= 1 THEN 0 END AS e,
    0.5 * 1.225 * avg((v / 3.6) ** 3) AS power_density
  FROM wind GROUP BY station
)
SELECT station, readings, missing, first, last, mean, std, min, max, max_gust, max_gust_at, min_lull,
  p[1] AS p5, p[2] AS p10, p[3] AS p25, p[4] AS p50, p[5] AS p75, p[6] AS p90, p[7] AS p95, p[8] AS p99,
  g[1] AS gust_p5, g[2] AS gust_p10, g[3] AS gust_p25, g[4] AS gust_p50,
  g[5] AS gust_p75, g[6] AS gust_p90, g[7] AS gust_p95, g[8] AS gust_p99,
  calm, speed AS vector_speed,
  CASE WHEN speed >= 1e-6 * mean THEN (degrees(atan2(east, north)) + 360) % 360 END AS vector_direction,
  CASE WHEN r >= 1e-6 THEN (degrees(atan2(unit_east, unit_north)) + 360) % 360 END AS prevailing_direction,
  speed / nullif(mean, 0) AS steadiness,
  degrees(asin(e) * (1 + (2 / sqrt(3) - 1) * e ** 3)) AS direction_std,
  gust_factor, k AS weibull_k, a AS weibull_a, power_density,
  CASE WHEN readings > missing THEN list_transform(range(13),
    lambda f: coalesce(readings_of[f], 0) / (readings - missing)) END AS beaufort
FROM groups LEFT JOIN forces USING (station) LEFT JOIN weibull USING (station)
ORDER BY station;
