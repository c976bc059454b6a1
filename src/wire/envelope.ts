import type { Provenance } from '../domain/envelope.ts';
import { type Field, member, object, parseJson, string } from './check.ts';

/**
 * Parses an answer and checks its envelope; the caller checks `data`.
 * @throws NotInterfaceError
 */
export function decodeEnvelope(subject: string, text: string): Field {
  const answer: Field = { subject, path: '', value: parseJson(subject, text) };
  object({ ...answer, path: 'the document' });
  for (const name of ['doc', 'license', 'attribution'] satisfies (keyof Provenance)[]) {
    string(member(answer, name));
  }
  return answer;
}
