import { createServer, type Server } from 'node:http';
import { fastify } from 'fastify';
import { addDocuments, type Documents, refuseOtherMethods } from './app.ts';
import { OpenResponse } from './headers.ts';
import { applyLimits, LIMITED, SERVER_LIMITS } from './limits.ts';
import { listenFailure } from './listenFailure.ts';

export interface ReportServerOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly documents: Documents;
}

export interface ReportServer {
  /** Such as `http://127.0.0.1:9090`, without a slash at its end. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

/**
 * Serves the operator's documents where nothing else is, so that a firewall can tell them apart.
 * @throws UsageError when the host and port cannot be listened on
 */
export async function startReports({
  host,
  port,
  documents,
}: ReportServerOptions): Promise<ReportServer> {
  const app = fastify({
    forceCloseConnections: true,
    serverFactory(handle) {
      const server = createServer(
        { ServerResponse: OpenResponse, ...LIMITED },
        (request, response) => {
          response.isPrivate = true;
          handle(request, response);
        },
      );
      applyLimits(server, SERVER_LIMITS.maxConnections);
      return server as unknown as Server;
    },
  });
  refuseOtherMethods(app);
  addDocuments(app, documents);
  try {
    const baseUrl = await app.listen({ host, port });
    return { baseUrl, close: async () => void (await app.close()) };
  } catch (error) {
    throw listenFailure(error, host, port, '--metrics-port');
  }
}
