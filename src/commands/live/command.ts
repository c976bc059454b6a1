import type { DeclareCommand } from '../shared/command.ts';
import { addStationsOptions } from './options.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  addStationsOptions(command, false, { io, perform })
    .description('Shows the latest measurements of stations, asked for in one request.')
    .addHelpText(
      'after',
      `
The table shows the mean wind of the 4 minutes before the measurement (avg),
its strongest gust and its lull, and where the wind comes from; the arrow
points where it goes. Ages count from the measurement: s, min, h, d, y. One of
over 45 minutes is marked old and dimmed. A mean under 1 km/h is calm and has
no direction. – is a value that the station did not send. Signal is the radio's
signal-to-noise ratio: red below 10 dB, green above 20. Colours of speeds by
Beaufort force: cyan 0–3, green 4–5, yellow 6–7, red 8–9, magenta 10–12.

Examples:
  $ vane live 110
  $ vane live --near 45.96,6.24 --radius 25 --max-age 45m --knots
  $ vane live all --sort gust --limit 10 -f csv`,
    );
};
