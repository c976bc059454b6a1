/** What the manual page adds to the help of `vane plot`. */
export const NOTES = `\
A series is an area from lull to gust, coloured by Beaufort force, with the mean
as a line and arrows where the wind blows to. Where readings are denser than the
picture, each column has their lowest lull, highest gust and mean. Nights are
shaded by the elevation of the sun at the station. The radii of a rose grow by
the per cents of stats --rose. A calendar has a cell for each day, a pattern for
each hour of the day by month. Up to twelve stations stand beside each other
with the same scales.

The panels of many stations can make a picture higher than --height; a calendar
or pattern of few rows is lower.
A picture in the terminal fits the window, else COLUMNS by LINES, else 80 by 24.
It has the colours that COLORTERM, TERM and FORCE_COLOR tell; without any, a
rose is a table and cells are characters, which the legend explains. --image auto
asks the terminal whether it shows pixels, and waits half a second; in a pipe it
asks nothing.`;
