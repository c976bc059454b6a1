import type { Command } from 'commander';
import { DEFAULT_BASE_URL } from '../../service/service.ts';
import { addExamples, type DeclareCommand } from '../declaration.ts';
import { readServeOptions, type ServeFlags } from './options.ts';
import { runServe } from './run.ts';

export const declareCommand: DeclareCommand = (command, { perform }) => {
  command
    .description(
      'Runs an HTTP server: a simulated network (--demo), or a cache in front of a station service ' +
        '(--upstream), which it polls at most once a minute.',
    )
    .optionsGroup('Addresses:')
    .option('--port <n>', 'port to listen on, 0 to 65535; 0 picks a free one, e.g. 8081', '8080')
    .option('--host <address>', 'address to listen on, e.g. 0.0.0.0 for all networks', '127.0.0.1')
    .optionsGroup('Requests:')
    .option(
      '--upstream <url>',
      `address of the service to cache, without /v1 (default: none), e.g. ${DEFAULT_BASE_URL}`,
    )
    .option(
      '--warm',
      'refresh live data ahead of time, so that no client waits (default: when a client requests them)',
    )
    .option(
      '--stale <duration>',
      'serve the last live data for up to this long while the service fails (default: 24h), e.g. 1h',
    )
    .option(
      '--upstream-concurrency <n>',
      'send up to this many archive requests to the service at once, 1 to 16 (default: 4), e.g. 2',
    )
    .option(
      '--memory <size>',
      'keep up to this much of responses in memory (default: 256MB), e.g. 1GiB',
    )
    .option(
      '--rate <n>',
      'requests per minute that each client address may send, or none for no limit (default: 600 with --upstream; this machine is exempt), e.g. 60',
    )
    .option(
      '--trust-proxy <list>',
      'proxies in front of this server, whose X-Forwarded-For is trusted: addresses, ranges, loopback, linklocal, uniquelocal (default: none), e.g. 10.0.0.0/8',
    )
    .option(
      '--max-connections <n>',
      'accept up to this many connections at once, e.g. 1000',
      '10000',
    )
    .optionsGroup('Addresses:')
    .option(
      '--metrics-port <n>',
      'serve /health and /metrics only at this port of 127.0.0.1, 0 to 65535 (default: at --port), e.g. 9090',
    )
    .optionsGroup('Page:')
    .option(
      '--tiles <template>',
      'address of street map tiles for the page, with {z}, {x}, {y}, and {r} for high resolution (default: built-in coastlines), e.g. https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    )
    .option(
      '--tiles-attribution <text>',
      'attribution that the provider of the tiles requires; addresses in it become links (default: none), e.g. "© OpenStreetMap https://www.openstreetmap.org/copyright"',
    )
    .optionsGroup('Output:')
    .option(
      '--log <file>',
      'log each request to this file as a line of json; SIGHUP reopens the file; - is stdout (default: none), e.g. access.log',
    )
    .allowExcessArguments()
    .action(async (_, self: Command) => {
      refuseArguments(self);
      const isGiven = (flag: string) => self.getOptionValueSourceWithGlobals(flag) === 'cli';
      await perform(readServeOptions(self.optsWithGlobals<ServeFlags>(), isGiven), runServe);
    });
  addExamples(
    command,
    'vane serve --demo',
    `vane serve --upstream ${DEFAULT_BASE_URL} --warm --log access.log`,
    'vane live 110 --base-url http://127.0.0.1:8080',
  );
};

/** Refuses arguments. For a number, the error suggests --port. */
function refuseArguments(command: Command): void {
  const [word] = command.args;
  if (word === undefined) return;
  const hint = Number(word) >= 1 && Number(word) <= 65535 ? `. Did you mean --port ${word}?` : '';
  command.error(`error: serve takes no argument “${word}”${hint}`);
}
