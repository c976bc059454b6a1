import { dateWriter } from '../../domain/dates.ts';
import type { SpeedUnit } from '../../domain/units.ts';
import { UsageError } from '../../errors.ts';
import { type FormatName, type Formats, formatNames, formatOfFile } from '../../formats/index.ts';
import { type Io, usesColour } from '../../io.ts';
import { readTarget, type Target } from '../../output/target.ts';
import { type Config, findUnits, findZone } from './config/settings.ts';
import type { OutputFlags, PresentationFlags } from './options.ts';
import { readZone } from './values.ts';

/** Unit and zone of the values. */
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

/** Form and place of a document, read from the shared flags. */
export interface Output<F extends FormatName = FormatName> extends Presented {
  readonly format: F;
  readonly target: Target;
  readonly colour: boolean;
  readonly columns: number | undefined;
}

/**
 * @param formats the formats of the command
 * @throws UsageError
 */
export function readOutput<F extends FormatName>(
  flags: OutputFlags & { readonly color?: boolean },
  subject: string,
  formats: Formats<F>,
  config: Config,
  io: Io,
): Output<F> {
  const target = readTarget(flags.output);
  const { path, isGzip } = target;
  const terminal = path === undefined ? io.stdoutTerminal : undefined;
  const presented = readPresentation(flags, config);
  const format = readFormat(flags, subject, formats) ?? ('table' as F);
  if (formats[format].isBinary) checkBinary(format, terminal !== undefined, isGzip);
  return {
    format,
    target,
    ...presented,
    colour: usesColour(path === undefined ? flags.color : false, io.env, terminal),
    columns: terminal?.columns,
  };
}

/**
 * The format of `--format`, else of the file that `--output` names.
 * @param subject of a sentence that says what a format cannot hold
 * @returns undefined where neither is given
 * @throws UsageError
 */
export function readFormat<F extends FormatName>(
  { format, output }: { readonly format?: FormatName; readonly output?: string },
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

function checkBinary(format: FormatName, isForTerminal: boolean, isGzip: boolean): void {
  if (isForTerminal) throw new UsageError(`${format} is not for a terminal; add -o FILE.`);
  if (isGzip) {
    throw new UsageError(
      `${format} is compressed in itself, and in .gz nothing reads it; leave .gz off the name.`,
    );
  }
}
