import { createDateWriter } from '../domain/dates.ts';
import { joinAlternatives } from '../domain/text.ts';
import type { SpeedUnit } from '../domain/units.ts';
import { UsageError } from '../errors.ts';
import type { OutputCapabilities } from '../formats/format.ts';
import { type Formats, formatNames } from '../formats/index.ts';
import { colourLevel, type Io, showsUnicode, widthOfStdout } from '../io.ts';
import { type OutputTarget, readOutputTarget } from '../output/target.ts';
import { type FormatName, fileEndingsOf, formatOfFile } from './formats.ts';
import type { GlobalFlags, OutputFlags, PresentationFlags } from './options.ts';
import { type Config, EMPTY_CONFIG, readSetting } from './settings.ts';

/** The unit of speeds and the time zone of an output. */
export interface Presentation {
  readonly unit: SpeedUnit;
  readonly zone: string;
  /** Writes a date of the service, which is in UTC, in the zone. */
  readonly writeDate: (isoUtc: string) => string;
}

/**
 * Reads the unit of speeds and the time zone.
 * @param config NO_CONFIG for output that programs read, which the configuration must not change
 * @throws UsageError
 */
export function readPresentation(flags: PresentationFlags, config: Config, io: Io): Presentation {
  const zone = readSetting('tz', flags, config, io);
  return { unit: readSetting('units', flags, config, io), zone, writeDate: createDateWriter(zone) };
}

/** The format, the target and the style of an output. @template F formats that the command can write */
export interface Output<F extends FormatName> extends Presentation, OutputCapabilities {
  readonly format: F;
  readonly target: OutputTarget;
  readonly maxLines: number | undefined;
}

/**
 * Reads the format, the target and the style of the output.
 * @param subject names the data, such as `Stations`, in the error for a format that cannot hold it
 * @param formats the formats that the command can write
 * @param usual the format if no option and no file name tells it
 * @throws UsageError
 */
export function readOutput<F extends FormatName>(
  flags: DestinationFlags & PresentationFlags,
  subject: string,
  formats: Formats<F>,
  config: Config,
  io: Io,
  usual = 'table' as NoInfer<F>,
): Output<F> {
  const { format, target, colours } = readDestination(flags, subject, formats, usual, io);
  const { stdoutTerminal } = io;
  const isChosen = namedFormat(flags) !== undefined || target.path !== undefined;
  return {
    format,
    target,
    maxLines: isChosen || stdoutTerminal === undefined ? undefined : 2 * stdoutTerminal.rows,
    ...readPresentation(flags, format === 'table' ? config : EMPTY_CONFIG, io),
    colour: colours > 0,
    width: target.path === undefined ? widthOfStdout(io) : undefined,
    isUnicode: showsUnicode(io.env),
  };
}

type DestinationFlags = FormatFlags & Pick<GlobalFlags, 'color'>;

/** Where a document or a picture goes, and in which format. */
export interface DocumentDestination<F extends FormatName> {
  readonly format: F;
  readonly target: OutputTarget;
  /** Level of colours: 0 none, 1 for 16, 2 for 256, 3 all. */
  readonly colours: 0 | 1 | 2 | 3;
}

/**
 * Format, target and level of colours of a document or a picture.
 * @param usual the format if neither `--format` nor a file name tells it
 * @throws UsageError
 */
export function readDestination<F extends FormatName>(
  flags: DestinationFlags,
  subject: string,
  formats: Formats<F>,
  usual: NoInfer<F>,
  { stdoutTerminal, env }: Io,
): DocumentDestination<F> {
  const target = readOutputTarget(flags.output);
  const isStdout = target.path === undefined;
  const terminal = isStdout ? stdoutTerminal : undefined;
  const format = readFormat(flags, subject, formats) ?? usual;
  if (formats[format].isBinary && terminal) {
    throw new UsageError(`${format} is not for a terminal; add -o FILE.`);
  }
  if (formats[format].isBinary && target.isGzip) {
    throw new UsageError(
      `${format} is already compressed, and no program reads it in .gz; leave .gz off the name.`,
    );
  }
  // FORCE_COLOR is for stdout; a file has colours only with --color.
  const color = isStdout ? flags.color : (flags.color ?? false);
  return { format, target, colours: colourLevel(color, env, terminal) };
}

type FormatFlags = Pick<OutputFlags, 'format' | 'json' | 'csv' | 'output'>;

/**
 * The format that `--format`, `--json` or `--csv` names.
 * @param jsonName the format that `--json` is short for
 */
export function namedFormat(
  { format, json, csv }: FormatFlags,
  jsonName: FormatName = 'json',
): FormatName | undefined {
  return format ?? (json ? jsonName : csv ? 'csv' : undefined);
}

/**
 * The format that an option names, else the one that the file name of `--output` implies.
 * @param jsonName the format that `--json` is short for
 * @returns undefined without such an option and without a file name
 * @throws UsageError
 */
export function readFormat<F extends FormatName>(
  flags: FormatFlags,
  subject: string,
  formats: Formats<F>,
  jsonName?: FormatName,
): F | undefined {
  const { path } = readOutputTarget(flags.output);
  const named = namedFormat(flags, jsonName);
  if (named === undefined && path === undefined) return undefined;
  const names = formatNames(formats);
  const chosen = named ?? formatOfFile(path ?? '', names);
  const taken = names.find((name) => name === chosen);
  if (taken !== undefined) return taken;
  const endings = names.flatMap((name) => fileEndingsOf(name).slice(0, 1));
  throw new UsageError(
    chosen === undefined
      ? `Cannot tell the format from “${path}”; use ${joinAlternatives(endings)}, or add --format.`
      : `${subject} cannot be written as ${chosen}; choose ${names.join(', ')}.`,
  );
}
