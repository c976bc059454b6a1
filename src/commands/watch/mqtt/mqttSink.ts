import { measurementAgeMs, OLD_MEASUREMENT_MS } from '../../../domain/station.ts';
import type { WatchRecord, WatchRecordStyle } from '../../../formats/format.ts';
import { ndjson, writeJson } from '../../../formats/json.ts';
import type { SinkTools } from '../sink.ts';
import type { WatchStore } from '../watchStore.ts';
import type { MqttTarget } from './address.ts';
import { type BrokerConnection, openBrokerConnection } from './broker.ts';
import { type DiscoveryOptions, discoveryPayload, homeAssistantId } from './discovery.ts';

interface MqttOptions extends Pick<DiscoveryOptions, 'baseUrl' | 'intervalMs'> {
  readonly style: WatchRecordStyle;
  readonly hasAlert: (station: number) => boolean;
}

/**
 * Publishes to a broker. License and attribution are at `prefix/attribution`. Each station has
 * topics below `prefix/<id>`: `state` (its newest record), `availability`, `alarm` and `event`. All
 * but `event` are retained.
 */
export function mqttSink(
  target: MqttTarget,
  { style, baseUrl, intervalMs, hasAlert }: MqttOptions,
  { io, reporter, store }: SinkTools & { readonly store: Pick<WatchStore, 'get'> },
) {
  const { prefix, discovery } = target;
  const device = { prefix, unit: style.unit, baseUrl, intervalMs };
  const published = new Set<number>();
  let broker: BrokerConnection | undefined;
  const retain = (topic: string, payload: string) => broker?.retain(topic, payload);

  function publish(record: WatchRecord): void {
    const { station, event, credit } = record;
    const topic = `${prefix}/${station.id}`;
    const text = ndjson.record(record, style).trim();
    if (credit) retain(`${prefix}/attribution`, writeJson(credit));
    const isAlerted = hasAlert(station.id);
    if (discovery !== undefined) {
      const options = { ...device, hasAlert: isAlerted, credit };
      const document = writeJson(discoveryPayload(station, options));
      retain(`${discovery}/device/${homeAssistantId(prefix, station.id)}/config`, document);
    }
    if (isAlerted && !published.has(station.id)) retain(`${topic}/alarm`, 'OFF');
    published.add(station.id);
    if (event === undefined) retain(`${topic}/state`, text);
    else broker?.send(`${topic}/event`, text);
    if (event?.kind === 'true') retain(`${topic}/alarm`, 'ON');
    if (event?.kind === 'false') retain(`${topic}/alarm`, 'OFF');
  }

  /**
   * Publishes which stations are online: selected, known to the service, and with a recent
   * measurement.
   */
  function publishAvailability(): void {
    const fresh = store.get().stations.filter(({ recent: { station, isGone } }) => {
      const ageMs = measurementAgeMs(station, io.now());
      return !isGone && ageMs !== undefined && ageMs <= OLD_MEASUREMENT_MS;
    });
    const ids = new Set(fresh.map(({ recent }) => recent.station.id));
    for (const id of published) {
      retain(`${prefix}/${id}/availability`, ids.has(id) ? 'online' : 'offline');
    }
  }

  return {
    write(records: readonly WatchRecord[]): void {
      // Connect at the first write, so that a watch that fails at once never connects.
      broker ??= openBrokerConnection(target, io, reporter);
      for (const record of records) publish(record);
      publishAvailability();
    },
    isAwaited: true as const,
    close: async () => broker?.finish(),
  };
}
