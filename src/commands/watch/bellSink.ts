import { wordEvent } from '../../formats/screen/eventWords.ts';
import type { Io } from '../../io.ts';
import type { Reporter } from '../../output/reporter.ts';
import type { Sink } from './sink.ts';

/** Tells a person of events where no screen does: a bell and a line each on stderr. */
export function bellSink(io: Io, reporter: Reporter, writeDate: (isoUtc: string) => string): Sink {
  return {
    tell(records) {
      for (const { event, station } of records) {
        if (event === undefined) continue;
        io.stderr.write('\u0007');
        reporter.note(wordEvent({ ...event, name: station.meta.name }, writeDate).full);
      }
    },
    close() {},
  };
}
