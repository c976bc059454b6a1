import pandas


def vane_read(path):
    """Reads a csv of `vane archive --header names` into a DataFrame with a time index."""
    return pandas.read_csv(path, parse_dates=["time"], index_col="time")
