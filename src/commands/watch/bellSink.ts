import { wordEvent } from '../../formats/screen/lines.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';
import type { Sink } from './sink.ts';

/** Rings the bell of the terminal at each event, and writes a line about it to stderr. */
export function bellSink(io: Io, reporter: Reporter, writeDate: (isoUtc: string) => string): Sink {
  return {
    write(records) {
      for (const { event, station } of records) {
        if (event === undefined) continue;
        io.stderr.write('\u0007');
        reporter.note(wordEvent({ ...event, name: station.meta.name }, writeDate).full);
      }
    },
    close() {},
  };
}
