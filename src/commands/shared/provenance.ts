import type { Provenance } from '../../domain/envelope.ts';
import type { Reporter } from '../../output/reporter.ts';

/** Credits the data where what was written does not: the license asks for it with every output. */
export function noteProvenance(reporter: Reporter, { attribution, license }: Provenance): void {
  reporter.note(`Data: ${attribution}. License: ${license}`);
}
