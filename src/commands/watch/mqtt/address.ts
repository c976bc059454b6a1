import { readFileSync } from 'node:fs';
import { parseUnambiguousStationId } from '../../../domain/station.ts';
import { hideAddressCredentials } from '../../../domain/text.ts';
import { describeFileError, UsageError } from '../../../errors.ts';
import { wrongValueError } from '../../../flags/values.ts';
import type { Io } from '../../../io.ts';

export interface MqttFlags {
  readonly mqtt?: string;
  /** The prefix of Home Assistant's discovery topics; true if the option has no value. */
  readonly mqttDiscovery?: string | true;
}

/** An MQTT broker, and the topics to publish to. */
export interface MqttTarget {
  readonly isTls: boolean;
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** The first levels of each topic, such as `wind` in `wind/110/state`. */
  readonly prefix: string;
  /** The prefix of Home Assistant's discovery topics; undefined without discovery. */
  readonly discovery: string | undefined;
}

const FORM = 'an address such as mqtt://broker.example/wind';

/**
 * Reads `--mqtt` and `--mqtt-discovery`.
 * @throws UsageError, whose message never contains a password
 */
export function readMqttTarget(
  { mqtt: text, mqttDiscovery }: MqttFlags,
  env: Io['env'],
): MqttTarget | undefined {
  if (text === undefined) {
    if (mqttDiscovery === undefined) return undefined;
    throw new UsageError(`--mqtt-discovery needs --mqtt with ${FORM}.`);
  }
  const url = readAddress(text);
  const [user, written] = [decode(url.username), decode(url.password)];
  if (user === undefined || written === undefined) throw wrongUrl('% in a password as %25', text);
  const password = written || readPassword(env);
  if (password !== undefined && user === '') {
    throw new UsageError('The password of --mqtt needs a user before the host, as in wind@host.');
  }
  const isTls = url.protocol === 'mqtts:';
  return {
    isTls,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    // IANA registered port 8883 for MQTT with TLS, and port 1883 without.
    port: Number(url.port) || (isTls ? 8883 : 1883),
    user: user || undefined,
    password,
    prefix: readPrefix(url.pathname, text),
    discovery: mqttDiscovery === undefined ? undefined : readDiscovery(mqttDiscovery),
  };
}

function readAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url?.hostname || !/^mqtts?:$/.test(url.protocol)) throw wrongUrl(FORM, text);
  // An @ in the path probably belongs to a password with an unescaped /. It must not become a
  // topic.
  if (url.pathname.includes('@')) throw wrongUrl('/ and @ of a password as %2F and %40', text);
  if (/[?#]/.test(text)) throw wrongUrl('an address without ? and #', text);
  if (url.port === '0') throw wrongUrl('a port from 1 to 65535', text);
  return url;
}

function readPrefix(path: string, text: string): string {
  const prefix = decode(path.replace(/^\/|\/$/g, ''));
  if (prefix !== undefined && isTopic(prefix)) return prefix;
  throw wrongUrl(`the prefix of the topics after the host (${TOPIC_RULE})`, text);
}

const wrongUrl = (expected: string, text: string): UsageError =>
  wrongValueError('--mqtt', expected, hideAddressCredentials(text));

const TOPIC_RULE = 'at most 200 characters, without + # $ and control characters';

/** Whether topics below this prefix are valid; brokers reserve topics that begin with `$`. */
function isTopic(prefix: string): boolean {
  const hasLevels = prefix.split('/').every((level) => level !== '');
  return hasLevels && prefix.length <= 200 && !/[+#$\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(prefix);
}

function readDiscovery(value: string | true): string {
  if (value === true) return 'homeassistant';
  if (parseUnambiguousStationId(value) !== undefined || value === 'all') {
    throw new UsageError(
      `--mqtt-discovery read the station ${value} as its prefix; put --mqtt-discovery after the stations.`,
    );
  }
  if (isTopic(value)) return value;
  const forms = `the prefix that Home Assistant listens at (${TOPIC_RULE})`;
  throw wrongValueError('--mqtt-discovery', forms, value);
}

/**
 * Reads the password for the MQTT broker from the environment or from a file that the environment
 * names.
 * @throws UsageError for a password file that cannot be read
 */
function readPassword({ VANE_MQTT_PASSWORD: text, VANE_MQTT_PASSWORD_FILE: path }: Io['env']) {
  if (text) return text;
  if (!path) return undefined;
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    // Do not quote the path: by mistake, the variable may contain the password itself.
    throw new UsageError(
      `The file of VANE_MQTT_PASSWORD_FILE cannot be read: ${describeFileError(error)}.`,
    );
  }
}

/** Text without percent-encoding; undefined where the encoding is broken. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
