# Reads a csv of `vane archive --header names` into a data frame with times in UTC.
vane_read <- function(path) {
  wind <- read.csv(path)
  wind$time <- as.POSIXct(wind$time, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")
  wind
}
