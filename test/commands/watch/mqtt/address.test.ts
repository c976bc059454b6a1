import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readMqttTarget } from '../../../../src/commands/watch/mqtt/address.ts';
import { UsageError } from '../../../../src/errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'vane-mqtt-'));
afterAll(() => rmSync(folder, { recursive: true }));

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('vane watch --mqtt', () => {
  it.each([
    ['mqtt://broker.example/wind', { isTls: false, host: 'broker.example', port: 1883 }],
    ['mqtts://broker.example/wind', { isTls: true, host: 'broker.example', port: 8883 }],
    ['mqtt://[::1]:1884/wind', { host: '::1', port: 1884 }],
    ['mqtt://broker/home/wind/', { prefix: 'home/wind' }],
    ['mqtt://broker/vent%20d%C3%A9t%C3%A9', { prefix: 'vent dété' }],
    ['mqtt://me@broker/wind', { user: 'me', password: undefined }],
    ['mqtt://me:a%2Fb%40c%25@broker/wind', { user: 'me', password: 'a/b@c%' }],
  ])('vane watch --mqtt reads the address %s as %j', (mqtt, expected) => {
    expect(readMqttTarget({ mqtt }, {})).toMatchObject(expected);
  });

  it.each([
    ['mqtt://u:secret@broker', /the prefix of the topics/],
    ['mqtt://u:secret@broker/', /the prefix of the topics/],
    ['mqtt://u:secret@broker/wind/+/x', /without \+ # \$/],
    ['mqtt://u:secret@broker/wind/#', /without \? and #/],
    ['mqtt://u:secret@broker/wind/%23', /without \+ # \$/],
    ['mqtt://u:secret@broker/$SYS', /without \+ # \$/],
    ['mqtt://u:secret@broker/a%00b', /control characters/],
    ['mqtt://u:secret@broker/a%0Ab', /control characters/],
    ['mqtt://u:secret@broker/a%FFb', /control characters/],
    ['mqtt://u:secret@broker/a//b', /the prefix of the topics/],
    [`mqtt://u:secret@broker/${'x'.repeat(201)}`, /at most 200 characters/],
    ['mqtt://u:secret@broker:0/wind', /a port from 1/],
    ['mqtt://u:secret@broker:99999/wind', /an address such as/],
    ['mqtt://u:secret@/wind', /an address such as/],
    ['http://u:secret@broker/wind', /an address such as/],
    ['u:secret@broker/wind', /an address such as/],
    ['mqtt://u:se/secret@broker/wind', /an address such as/],
    ['mqtt://u:12/secret@broker/wind', /%2F and %40/],
    ['mqtt://u:secret%@broker/wind', /as %25/],
    ['mqtt://u:se?secret@broker/wind', /an address such as/],
    ['mqtt://u:se#secret@broker/wind', /an address such as/],
    ['mqtt://:secret@broker/wind', /needs a user/],
  ])(
    'vane watch --mqtt refuses %s with an error that matches %s and hides the password',
    (mqtt, expected) => {
      const message = refusal(() => readMqttTarget({ mqtt }, {}));
      expect(message).toMatch(expected);
      expect(message).not.toContain('secret');
    },
  );

  const mqtt = 'mqtt://me@broker/wind';
  const file = (text: string): string => {
    const path = join(folder, 'password');
    writeFileSync(path, text);
    return path;
  };

  it('vane watch --mqtt reads the password from the address, else from VANE_MQTT_PASSWORD, else from the file of VANE_MQTT_PASSWORD_FILE', () => {
    const env = { VANE_MQTT_PASSWORD: 'variable', VANE_MQTT_PASSWORD_FILE: file('file\n') };
    const passwordOf = (text: string, variables: Record<string, string>) =>
      readMqttTarget({ mqtt: text }, variables)?.password;
    expect(passwordOf('mqtt://me:address@broker/wind', env)).toBe('address');
    expect(passwordOf(mqtt, env)).toBe('variable');
    expect(passwordOf(mqtt, { ...env, VANE_MQTT_PASSWORD: '' })).toBe('file');
  });

  it.each([
    ['the password without its Windows line end', ' pass word \r\n', ' pass word '],
    ['the password if the file has no line end', 'password', 'password'],
    ['no password if the file is empty', '\n', undefined],
  ])('vane watch --mqtt reads from the file of VANE_MQTT_PASSWORD_FILE %s', (_, text, password) => {
    const env = { VANE_MQTT_PASSWORD_FILE: file(text) };
    expect(readMqttTarget({ mqtt }, env)?.password).toBe(password);
  });

  it.each([
    [
      'a password in VANE_MQTT_PASSWORD_FILE in place of a path',
      { VANE_MQTT_PASSWORD_FILE: 'secret' },
      mqtt,
    ],
    ['a password without a user', { VANE_MQTT_PASSWORD: 'secret' }, 'mqtt://broker/wind'],
  ])('vane watch --mqtt refuses %s and does not show the password', (_, env, text) => {
    const message = refusal(() => readMqttTarget({ mqtt: text }, env));
    expect(message).toMatch(/does not exist|\buser\b/);
    expect(message).not.toContain('secret');
  });
});

describe('vane watch --mqtt-discovery', () => {
  const mqtt = 'mqtt://broker/wind';

  it('vane watch --mqtt-discovery publishes below the prefix homeassistant, or below the prefix that the user names', () => {
    expect(readMqttTarget({ mqtt }, {})?.discovery).toBeUndefined();
    expect(readMqttTarget({ mqtt, mqttDiscovery: true }, {})?.discovery).toBe('homeassistant');
    expect(readMqttTarget({ mqtt, mqttDiscovery: 'ha/eu' }, {})?.discovery).toBe('ha/eu');
    expect(readMqttTarget({ mqtt, mqttDiscovery: 'ha2' }, {})?.discovery).toBe('ha2');
  });

  it.each([
    ['the id of a station as its prefix', { mqtt, mqttDiscovery: '110' }, /read the station 110/],
    ['the word all as its prefix', { mqtt, mqttDiscovery: 'all' }, /read the station all/],
    ['a prefix with a wildcard', { mqtt, mqttDiscovery: 'ha/#' }, /not “ha\/#”/],
    [
      'to work without --mqtt',
      { mqttDiscovery: true as const },
      /needs --mqtt with an address such as/,
    ],
  ])('vane watch --mqtt-discovery refuses %s', (_, flags, expected) => {
    expect(refusal(() => readMqttTarget(flags, {}))).toMatch(expected);
  });
});
