import { dateWriter } from '../../domain/dates.ts';
import { UsageError } from '../../errors.ts';
import { type FormatName, type Formats, formatNames, formatOfFile } from '../../formats/index.ts';
import { type Io, showsUnicode, usesColour, widthOfStdout } from '../../io.ts';
import { readTarget } from '../../output/target.ts';
import { type Config, NO_CONFIG } from './config.ts';
import type { OutputFlags, PresentationFlags } from './options.ts';
import { readSetting } from './settings.ts';

/**
 * Unit and zone of the values.
 * @param config NO_CONFIG for what programs read: the file must not change the output of a script
 * @throws UsageError
 */
export function readPresentation(flags: PresentationFlags, config: Config, io: Io) {
  const zone = readSetting('tz', flags, config, io);
  return { unit: readSetting('units', flags, config, io), zone, writeDate: dateWriter(zone) };
}

export type Output<F extends FormatName> = Readonly<ReturnType<typeof readOutput<F>>>;

/**
 * Form and place of a document, read from the shared flags.
 * @param subject of the error for a format that cannot hold the data
 * @param formats the formats of the command
 * @throws UsageError
 */
export function readOutput<F extends FormatName>(
  flags: OutputFlags & { readonly color?: boolean },
  subject: string,
  formats: Formats<F>,
  config: Config,
  io: Io,
) {
  const target = readTarget(flags.output);
  const terminal = target.path === undefined ? io.stdoutTerminal : undefined;
  const format = readFormat(flags, subject, formats) ?? ('table' as F);
  const presented = readPresentation(flags, format === 'table' ? config : NO_CONFIG, io);
  if (formats[format].isBinary && terminal) {
    throw new UsageError(`${format} is not for a terminal; add -o FILE.`);
  }
  if (formats[format].isBinary && target.isGzip) {
    throw new UsageError(
      `${format} is compressed in itself, and in .gz nothing reads it; leave .gz off the name.`,
    );
  }
  return {
    format,
    target,
    ...presented,
    colour: usesColour(target.path === undefined ? flags.color : false, io.env, terminal),
    columns: target.path === undefined ? widthOfStdout(io) : undefined,
    isUnicode: showsUnicode(io.env),
  };
}

/**
 * The format of `--format`, else of the file that `--output` names.
 * @returns undefined where neither is given
 * @throws UsageError
 */
export function readFormat<F extends FormatName>(
  { format, output }: Pick<OutputFlags, 'format' | 'output'>,
  subject: string,
  formats: Formats<F>,
): F | undefined {
  const { path } = readTarget(output);
  if (format === undefined && path === undefined) return undefined;
  const names = formatNames(formats);
  const chosen = format ?? formatOfFile(path ?? '');
  const taken = names.find((name) => name === chosen);
  if (taken !== undefined) return taken;
  throw new UsageError(
    chosen === undefined
      ? `The name ${path} does not tell the format; add --format ${names.join('|')}.`
      : `${subject} cannot be written as ${chosen}; choose ${names.join(', ')}.`,
  );
}
