import type { Command } from 'commander';
import { DEFAULT_BASE_URL } from '../../defaults.ts';
import type { DeclareCommand } from '../shared/command.ts';
import { readServeRequest, type ServeFlags } from './request.ts';
import { runServe } from './run.ts';

export const declareCommand: DeclareCommand = (command, { io, perform }) => {
  command
    .description(
      'Serves the interface over HTTP until it is ended: of a simulated network, or in front of a ' +
        'service, which is then asked once a minute at most, however many ask here. Prints its ' +
        'address once it answers.',
    )
    .option('--port <n>', 'port to listen on, 0 to 65535; 0 picks a free one, e.g. 8080', '8080')
    .option('--host <address>', 'address to listen on, e.g. 0.0.0.0 for every network', '127.0.0.1')
    .option(
      '--upstream <url>',
      `service to be in front of, without /v1 (default: none), e.g. ${DEFAULT_BASE_URL}`,
    )
    .option('--warm', 'ask ahead of time, so that nobody waits (default: when somebody asks)')
    .option(
      '--stale <duration>',
      'how old live data may get while the service fails, e.g. 1h',
      '24h',
    )
    .option(
      '--upstream-concurrency <n>',
      'archive requests to the service at once, 1 to 16, e.g. 2',
      '4',
    )
    .option('--memory <size>', 'most that answers may take in memory, e.g. 1GiB', '256MB')
    .option(
      '--rate <n>',
      'requests a minute from one address, or none for no limit (default: 600 with --upstream, but for this machine), e.g. 60',
    )
    .option(
      '--trust-proxy <list>',
      'proxies whose X-Forwarded-For is believed: addresses, ranges, loopback, linklocal, uniquelocal (default: none), e.g. 10.0.0.0/8',
    )
    .option('--max-connections <n>', 'connections at once, e.g. 1000', '10000')
    .option(
      '--metrics-port <n>',
      'port that /health and /metrics are at, and nowhere else, 0 to 65535 (default: that of --port), e.g. 9090',
    )
    .option(
      '--metrics-host <address>',
      'address to listen on with --metrics-port (default: 127.0.0.1), e.g. 10.0.0.5',
    )
    .option(
      '--log <file>',
      'add a json line for each request to a file, which may be rotated (SIGHUP opens it again); - is stdout (default: none), e.g. access.log',
    )
    .addHelpText(
      'after',
      `
Live data come from one request for all stations in 60 s. When it fails, the
last ones are served with Age and Warning for as long as --stale says, then 503
upstream_unavailable. Archives of more than a day ago are kept in the cache on
disk (vane cache --help), those after it for 60 s in memory. A client that sends
Cache-Control: no-cache has a kept archive asked for again, once a minute. Ids
that the list of stations does not name cost the service ten questions a minute.

At / is a page to look at, at /openapi.json the interface, at /health and
/metrics how it goes. Of --memory a quarter is for what clients are slow to read.

The first Ctrl-C lets what is under way finish, 10 s at most; a second one ends
it at once.

Examples:
  $ vane serve --demo
  $ vane serve --upstream ${DEFAULT_BASE_URL} --warm --log access.log
  $ vane live 110 --base-url http://127.0.0.1:8080`,
    )
    .action(async (_, self: Command) => {
      await perform(readServeRequest(self.optsWithGlobals<ServeFlags>(), io), runServe);
    });
};
