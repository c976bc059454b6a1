import negotiate from '@fastify/accept-negotiator';
import { LRUCache } from 'lru-cache';
import { CODINGS, type Coding } from './answers.ts';

/** The longest Accept-Encoding that is read; those of browsers have 30 characters. */
const MAX_ACCEPTED_LENGTH = 200;

/** What browsers and libraries send is few different texts. */
const CHOSEN = new LRUCache<string, Coding>({ max: 500 });

/**
 * The coding that a client prefers by its Accept-Encoding (RFC 9110, 12.5.3). A longer text than
 * anybody needs is not read: the answer comes uncompressed.
 */
export function negotiateCoding(accepted: string): Coding {
  if (accepted.length > MAX_ACCEPTED_LENGTH) return 'identity';
  const known = CHOSEN.get(accepted);
  if (known) return known;
  const chosen = negotiateAnew(accepted.toLowerCase());
  CHOSEN.set(accepted, chosen);
  return chosen;
}

function negotiateAnew(accepted: string): Coding {
  const refused = accepted.split(',').flatMap(refusedName);
  // The package takes `*` for the first it is offered, also where that is refused by name.
  const offered = CODINGS.filter((coding) => !refused.includes(coding));
  return (negotiate.negotiate(accepted, offered) ?? 'identity') as Coding;
}

/** The name in one item such as `br;q=0`, if its weight is nought (RFC 9110, 12.4.2). */
function refusedName(item: string): string[] {
  const [name = '', weight = ''] = item.split(';').map((part) => part.trim());
  return /^q=0(?:\.0{0,3})?$/.test(weight) ? [name] : [];
}
