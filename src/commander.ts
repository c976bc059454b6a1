import { createRequire } from 'node:module';
import type * as commander from 'commander';

// Required, not imported: making a module of it, and of all that it requires of Node, takes longer
// than all else that `vane --help` does.
const loaded = createRequire(import.meta.url)('commander') as typeof commander;

export const { Command, CommanderError, Option } = loaded;
export type Command = commander.Command;
export type Option = commander.Option;
