/** What the manual page adds to the help of `vane live`. */
export const NOTES = `\
The table shows mean (avg), gust and lull of the 4 minutes before the
measurement, and the direction that the wind comes from; the arrow points where
the wind blows to. The age is the time since the measurement: s, min, h, d, y. A
measurement older than 45 minutes is marked old and dimmed. A mean under 1 km/h
is calm and has no direction. – is a value that the station did not send. Signal
is the radio's signal-to-noise ratio: red below 10 dB, green above 20. Speeds are
coloured by Beaufort force: cyan 0–3, green 4–5, yellow 6–7, red 8–9,
magenta 10–12.`;
