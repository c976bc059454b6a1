import type { Command } from 'commander';
import { DEFAULT_BASE_URL } from '../../service/service.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { readServeRequest, type ServeFlags } from './request.ts';
import { runServe } from './run.ts';

export const declareCommand: DeclareCommand = (command, { perform }) => {
  command
    .description(
      'Serves the interface over HTTP until it is ended: of a simulated network, or in front of a ' +
        'service, whose live data are then requested once a minute at most.',
    )
    .optionsGroup('Addresses:')
    .option('--port <n>', 'port to listen on, 0 to 65535; 0 picks a free one, e.g. 8080', '8080')
    .option('--host <address>', 'address to listen on, e.g. 0.0.0.0 for every network', '127.0.0.1')
    .optionsGroup('Requests:')
    .option(
      '--upstream <url>',
      `service to be in front of, without /v1 (default: none), e.g. ${DEFAULT_BASE_URL}`,
    )
    .option('--warm', 'ask ahead of time, so that no client waits (default: when a client asks)')
    .option(
      '--stale <duration>',
      'how old live data may get while the service fails (default: 24h), e.g. 1h',
    )
    .option(
      '--upstream-concurrency <n>',
      'archive requests to the service at once, 1 to 16 (default: 4), e.g. 2',
    )
    .option('--memory <size>', 'most that answers may take in memory (default: 256MB), e.g. 1GiB')
    .option(
      '--rate <n>',
      'requests a minute from one address, or none for no limit (default: 600 with --upstream, but for this machine), e.g. 60',
    )
    .option(
      '--trust-proxy <list>',
      'proxies whose X-Forwarded-For is believed: addresses, ranges, loopback, linklocal, uniquelocal (default: none), e.g. 10.0.0.0/8',
    )
    .option('--max-connections <n>', 'connections at once, e.g. 1000', '10000')
    .optionsGroup('Addresses:')
    .option(
      '--metrics-port <n>',
      'port of 127.0.0.1 that /health and /metrics are at, and nowhere else, 0 to 65535 (default: that of --port), e.g. 9090',
    )
    .optionsGroup('Page:')
    .option(
      '--tiles <template>',
      "address of tiles for the page's map, with {z}, {x} and {y}, and {r} for sharp ones (default: coastlines), e.g. https://tile.openstreetmap.org/{z}/{x}/{y}.png",
    )
    .option(
      '--tiles-attribution <text>',
      'words that the maker of the tiles asks for, with addresses as links, e.g. "© OpenStreetMap https://www.openstreetmap.org/copyright"',
    )
    .optionsGroup('Output:')
    .option(
      '--log <file>',
      'add a json line for each request to a file, which may be rotated (SIGHUP opens it again); - is stdout (default: none), e.g. access.log',
    )
    .allowExcessArguments()
    .action(async (_, self: Command) => {
      refuseArguments(self);
      const isGiven = (flag: string) => self.getOptionValueSourceWithGlobals(flag) === 'cli';
      await perform(readServeRequest(self.optsWithGlobals<ServeFlags>(), isGiven), runServe);
    });
  addExamples(
    command,
    'vane serve --demo',
    `vane serve --upstream ${DEFAULT_BASE_URL} --warm --log access.log`,
    'vane live 110 --base-url http://127.0.0.1:8080',
  );
};

/** Refuses arguments; a number is most likely the port. */
function refuseArguments(command: Command): void {
  const [word] = command.args;
  if (word === undefined) return;
  const hint = Number(word) >= 1 && Number(word) <= 65535 ? `. Did you mean --port ${word}?` : '';
  command.error(`error: serve accepts no argument “${word}”${hint}`);
}
