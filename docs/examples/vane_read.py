import pandas


def vane_read(path):
    """Reads a csv of `vane archive --header names` into a DataFrame, indexed by the time in UTC."""
    wind = pandas.read_csv(path)
    wind["time"] = pandas.to_datetime(wind["time"], utc=True)
    return wind.set_index("time")
