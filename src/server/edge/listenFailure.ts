import { errorCode, UsageError } from '../../errors.ts';

const NO_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'];

/**
 * The error for a host and port that cannot be listened on.
 * @param flag the flag that sets the port
 */
export function listenFailure(error: unknown, host: string, port: number, flag: string) {
  const code = errorCode(error) ?? String(error);
  if (NO_ADDRESS.includes(code)) {
    return new UsageError(
      `${host} is not an address of this machine; use one that is, such as 127.0.0.1.`,
    );
  }
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `is in use; choose another with ${flag} (0 picks a free one).`,
    EACCES: `is not open to this user; choose one above 1023 with ${flag} (0 picks a free one).`,
  };
  return new UsageError(
    `Port ${port} on ${host} ${reasons[code] ?? `cannot be listened on (${code}).`}`,
  );
}
