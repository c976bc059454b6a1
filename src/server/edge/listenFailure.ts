import { errorCode, UsageError } from '../../errors.ts';

/**
 * Says why there is no listening.
 * @param flag names the port on the command line
 */
export function listenFailure(
  error: unknown,
  host: string,
  port: number,
  flag = '--port',
): UsageError {
  const code = errorCode(error);
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(
        `Port ${port} on ${host} is in use; choose another with ${flag} (0 picks a free one).`,
      );
    case 'EACCES':
      return new UsageError(
        `Port ${port} on ${host} is not open to this user; choose one above 1023 with ${flag} (0 picks a free one).`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(
        `${host} is not an address of this machine; use one that is, such as 127.0.0.1.`,
      );
    default:
      return new UsageError(
        `Port ${port} on ${host} cannot be listened on (${code ?? String(error)}).`,
      );
  }
}
