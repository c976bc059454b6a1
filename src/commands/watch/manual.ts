import { PLACEHOLDERS, RECORD_VARIABLES } from '../../formats/recordFields.ts';

/** What the manual page adds to the help of `vane watch`. */
export const NOTES = `\
On a terminal the table is redrawn in place, stations whose alarm holds first: q
quits, ? lists the keys. In a pipe, and with -f, --line or -o, each new measurement is written at once as a
record: ndjson, csv, txt, influx (line protocol), or a --line. With -o the
terminal still shows the table. A failed poll is not retried before the next
poll, so --retries has no effect.

CONDITIONS explains the conditions of --when, --until and --where. Wind older than
45 minutes and the direction of calm air are unknown; an unknown value rings no
alarm and matches no --where.

A station is shown and recorded at the polls where --where holds. An alarm begins
only there, and ends anywhere.

An event is true, false or stale (no measurement for 45 minutes). Each event
rings the bell, writes a record, and runs --exec for at most 60 s, with the record
as json on stdin and in the environment (VANE_AGE in seconds).

--post sends each event, or with --post-each reading each reading instead, by
HTTP POST: as json, or as the text of --post-text. Where --post-header names the
Content-Type application/json or application/x-www-form-urlencoded, the values in
the text are escaped for it. In a header each value is cut at 200 characters,
control characters become spaces, and text beyond ASCII is written in encoded
words (RFC 2047). Posts are sent in order, one after the other. After a broken
connection, 5xx or 429 (with Retry-After) a post is tried again for ten minutes,
then given up with a line on stderr; other answers without success give it up at
once, and no redirect is followed. Of more than 1000
posts that wait the oldest are dropped. A watch that ends, also by a signal, waits
for its posts for 10 s. Messages name only scheme and host of the address.

--mqtt publishes at a broker with QoS 1, beside the other output. With
mqtt://vane@broker.example/wind the newest record of station 110 is at
wind/110/state as json; wind/110/availability is online, or offline without a
measurement of the last 45 minutes; wind/110/alarm is ON or OFF. These are
retained; events, at wind/110/event, are not. wind/availability is offline once
vane has ended, by its last will too, so each watch needs a prefix of its own.
While the broker is away, the newest message of each topic waits for it. A watch
that ends waits for acknowledgements, 10 s at most. An event whose
acknowledgement was lost is sent again, byte for byte the same. mqtts trusts the
certificates of $NODE_EXTRA_CA_CERTS too.

--mqtt-discovery needs Home Assistant 2025.4 or later. Put it after the stations,
since a word after it is its prefix.

Placeholders of --line: ${PLACEHOLDERS.map((name) => `{${name}}`).join(' ')}.

Variables of --exec: ${RECORD_VARIABLES.join(' ')}.`;
