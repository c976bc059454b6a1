import { dateWriter } from '../../domain/dates.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { FORMATS, formatOfFile } from '../../formats/index.ts';
import type { FormatName } from '../../formats/names.ts';
import { type Io, usesColour } from '../../io.ts';
import { readTarget, type Target } from '../../output/target.ts';
import { type Config, findUnits, findZone } from './config/settings.ts';
import type { OutputFlags, PresentationFlags } from './options.ts';
import { readZone } from './values.ts';

/** How values are to be written. */
export interface Presented {
  readonly unit: SpeedUnit;
  readonly zone: string;
  readonly writeDate: (isoUtc: string) => string;
}

/** @throws UsageError */
export function readPresentation(flags: PresentationFlags, config: Config): Presented {
  const { by, value } = findZone(flags, config);
  const zone = readZone(by, value);
  return {
    unit: findUnits(flags, config).value,
    zone: zone.toLowerCase() === 'utc' ? 'utc' : zone,
    writeDate: dateWriter(zone),
  };
}

/** How and where a document is to be written: what the shared flags come to. */
export interface Output<F extends FormatName = FormatName> extends Presented {
  readonly format: F;
  readonly target: Target;
  readonly colour: boolean;
  readonly columns: number | undefined;
}

/**
 * @param formats the formats the command can write
 * @throws UsageError
 */
export function readOutput<F extends FormatName>(
  flags: OutputFlags & { readonly color?: boolean },
  formats: readonly F[],
  config: Config,
  io: Io,
): Output<F> {
  const target = readTarget(flags.output);
  const { path } = target;
  const terminal = path === undefined ? io.stdoutTerminal : undefined;
  const presented = readPresentation(flags, config);
  const format = readFormat(flags.format, path, formats);
  const isGzip = path?.toLowerCase().endsWith('.gz') ?? false;
  if (FORMATS[format].isBinary) checkBinary(format, terminal !== undefined, isGzip);
  return {
    format,
    target: { path, isGzip },
    ...presented,
    colour: usesColour(path === undefined ? flags.color : false, io.env, terminal),
    columns: terminal?.columns,
  };
}

function readFormat<F extends FormatName>(
  format: FormatName | undefined,
  path: string | undefined,
  formats: readonly F[],
): F {
  const chosen = format ?? (path === undefined ? 'table' : formatOfFile(path));
  if (chosen === undefined) {
    throw new UsageError(
      `The name ${path} does not tell the format; add --format ${formats.join('|')}.`,
    );
  }
  const taken = formats.find((name) => name === chosen);
  if (taken !== undefined) return taken;
  // Each format takes one of the two at least, so this command wanted the other.
  const what = FORMATS[chosen].takesArchive ? 'Stations' : 'An archive';
  throw new UsageError(`${what} cannot be written as ${chosen}; choose ${formats.join(', ')}.`);
}

function checkBinary(format: FormatName, isForTerminal: boolean, isGzip: boolean): void {
  if (isForTerminal) throw new UsageError(`${format} is not for a terminal; add -o FILE.`);
  if (isGzip) {
    throw new UsageError(
      `${format} is compressed in itself, and in .gz nothing reads it; leave .gz off the name.`,
    );
  }
}
