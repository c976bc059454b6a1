"""An export without vane, as a script of a few lines does it: month by month in sequence, the
standard library alone. Arguments: base address, station, first year, year to stop before, file."""

import csv
import json
import sys
import urllib.request
from datetime import date

base, station, first, stop, path = sys.argv[1:]
months = [date(year, month, 1) for year in range(int(first), int(stop)) for month in range(1, 13)]
months.append(date(int(stop), 1, 1))
rows = 0
with open(path, "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    for begin, end in zip(months, months[1:]):
        url = f"{base}/v1/archive/{station}?start={begin}&stop={end}&format=json"
        with urllib.request.urlopen(url) as response:
            archive = json.load(response)
        if rows == 0:
            writer.writerow(archive["legend"])
        writer.writerows(archive["data"])
        rows += len(archive["data"])
print(rows)
