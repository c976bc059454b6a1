import negotiate from '@fastify/accept-negotiator';

/** An Accept-Encoding header of more characters is ignored; those of browsers are far shorter. */
const MAX_LENGTH = 200;

/** Bodies below this size are not compressed: they fit in one packet anyway. */
export const LEAST_COMPRESSED_BYTES = 1000;

/**
 * The compression that a client prefers by its Accept-Encoding (RFC 9110, 12.5.3).
 * @param codings the codings that the server has, the best first
 */
export function chooseCoding<C extends string>(
  accepted: string | undefined,
  codings: readonly C[],
): C | 'identity' {
  if (accepted === undefined || accepted.length > MAX_LENGTH) return 'identity';
  const items = accepted.toLowerCase();
  const refused = items.split(',').flatMap(refusedName);
  // Offer no coding that the client refuses by name: for `*` the package picks the first one.
  const offered = codings.filter((coding) => !refused.includes(coding));
  return (negotiate.negotiate(items, offered) ?? 'identity') as C | 'identity';
}

/** The coding that an item of Accept-Encoding refuses, such as `br;q=0` (RFC 9110, 12.4.2). */
function refusedName(item: string): string[] {
  const [name = '', weight = ''] = item.split(';').map((part) => part.trim());
  return /^q=0(?:\.0{0,3})?$/.test(weight) ? [name] : [];
}
