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

/** The unit of speeds and the time zone in which output is written. */
export interface Presentation {
  readonly unit: SpeedUnit;
  readonly zone: string;
  /** Converts a date of the service, which is in UTC, to the zone. */
  readonly writeDate: (isoUtc: string) => string;
}

/**
 * Reads the unit of speeds and the time zone.
 * @param config EMPTY_CONFIG for output that programs read, which the configuration must not change
 * @throws UsageError
 */
export function readPresentation(flags: PresentationFlags, config: Config, io: Io): Presentation {
  const zone = readSetting('tz', flags, config, io);
  return { unit: readSetting('units', flags, config, io), zone, writeDate: createDateWriter(zone) };
}

/**
 * The format, target and style of an output.
 * @template F the formats that the command can write
 */
export interface OutputOptions<F extends FormatName> extends Presentation, OutputCapabilities {
  readonly format: F;
  readonly target: OutputTarget;
  readonly maxLines: number | undefined;
}

/**
 * Reads the format, target and style of an output.
 * @param subject the data, such as `Stations`, for errors about the format
 * @param formats the formats that the command can write
 * @param usual the default format
 * @throws UsageError
 */
export function readOutput<F extends FormatName>(
  flags: DestinationFlags & PresentationFlags,
  subject: string,
  formats: Formats<F>,
  config: Config,
  io: Io,
  usual = 'table' as NoInfer<F>,
): OutputOptions<F> {
  const { format, target, colours } = readDestination(flags, subject, formats, usual, io);
  const { stdoutTerminal } = io;
  const isChosen = formatFromFlags(flags) !== undefined || target.path !== undefined;
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

/** The target and format of a document or picture. */
export interface DocumentDestination<F extends FormatName> {
  readonly format: F;
  readonly target: OutputTarget;
  /** Level of colours: 0 for none, 1 for 16, 2 for 256, 3 for all. */
  readonly colours: 0 | 1 | 2 | 3;
}

/**
 * Reads the format, target and level of colours of a document or picture.
 * @param usual the default format
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
  // FORCE_COLOR applies to stdout only; a file gets colours only with --color.
  const color = isStdout ? flags.color : (flags.color ?? false);
  return { format, target, colours: colourLevel(color, env, terminal) };
}

type FormatFlags = Pick<OutputFlags, 'format' | 'json' | 'csv' | 'output'>;

/**
 * The format that `--format`, `--json` or `--csv` chooses.
 * @param jsonName the format that `--json` sets
 */
export function formatFromFlags(
  { format, json, csv }: FormatFlags,
  jsonName: FormatName = 'json',
): FormatName | undefined {
  return format ?? (json ? jsonName : csv ? 'csv' : undefined);
}

/**
 * The format that an option chooses, else the one of the file name in `--output`.
 * @param jsonName the format that `--json` sets
 * @returns undefined if neither chooses a format
 * @throws UsageError
 */
export function readFormat<F extends FormatName>(
  flags: FormatFlags,
  subject: string,
  formats: Formats<F>,
  jsonName?: FormatName,
): F | undefined {
  const { path } = readOutputTarget(flags.output);
  const named = formatFromFlags(flags, jsonName);
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
