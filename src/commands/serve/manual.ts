/** What the manual page adds to the help of `vane serve`. */
export const NOTES = `\
The address is printed once the server answers. Live data come from one request
for all stations in 60 s. When that request fails, the last data are served with
Age and Warning for as long as --stale says, then 503 upstream_unavailable.
Archives of more than a day ago are kept in the cache on disk (vane cache --help),
later ones for 60 s in memory. Ids that the list of stations does not name cost
the service ten questions a minute.

/ is a page for people, /openapi.json describes the interface, and /health and
/metrics tell the state of the server. At /metrics/stations Prometheus reads the stations, in m/s:
all, or those of id (repeated), near with radius, and bbox. A measurement older
than 45 minutes has no speed there, and a station that is gone no line. At
/plot/110/series.svg is a picture of the last 24 hours, beside it rose, calendar
and pattern, each as .svg and .png; they take start, stop (at most 366 days
later), units, tz, sectors, theme, width and height. A quarter of --memory is for
answers that clients are slow to read.

The first Ctrl-C lets requests under way finish, 10 s at most; a second one ends
the server at once.`;
