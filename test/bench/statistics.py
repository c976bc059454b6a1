"""The statistics of an export with `--header names` by month, with pandas on pyarrow:
`statistics.py FILE`. Prints a mean for each month."""
import json
import sys

import numpy
import pandas

PERCENTILES = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]

wind = pandas.read_csv(sys.argv[1], engine="pyarrow", parse_dates=["time"])
speed = wind["wind_speed_avg"]
angle = numpy.radians(wind["wind_heading"])
wind["east"] = speed * numpy.sin(angle)
wind["north"] = speed * numpy.cos(angle)
months = wind.groupby(wind["time"].dt.strftime("%Y-%m"))
averages = months["wind_speed_avg"]
table = pandas.concat(
    [
        averages.agg(["count", "mean", "min", "max"]),
        averages.std(ddof=0),
        averages.quantile(PERCENTILES).unstack(),
        months["wind_speed_max"].quantile(PERCENTILES).unstack(),
        months[["east", "north"]].mean(),
    ],
    axis=1,
)
table["speed"] = numpy.hypot(table["east"], table["north"])
table["direction"] = numpy.degrees(numpy.arctan2(table["east"], table["north"])) % 360
print(json.dumps(table["mean"].to_dict()))
