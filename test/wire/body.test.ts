import { describe, expect, it } from 'vitest';
import { BrokenResponseError, UnexpectedResponseError } from '../../src/errors.ts';
import { decodeArchive } from '../../src/wire/archive.ts';
import { decodeError, ERROR_STATUS } from '../../src/wire/errorBody.ts';
import { decodeLiveStation, decodeLiveStations } from '../../src/wire/live.ts';
import { naming } from '../support/naming.ts';
import { ONE_STATION } from './samples.ts';

describe('the error for a body that is no JSON', () => {
  it.each([
    ['', 'empty'],
    [' \r\n', 'empty'],
    ['<!DOCTYPE html><html lang="en">', 'HTML'],
    ['\n<html>', 'HTML'],
    ['<?xml version="1.0"?>', 'HTML'],
    ['Bad gateway', '“Bad gateway”'],
    ['\u001b[2J', '“␛[2J”'],
    ['x'.repeat(100), `“${'x'.repeat(40)}…”`],
  ])(
    'the error for the response body %j, which is no JSON, names station 110 and %s',
    (text, what) => {
      const decode = () => decodeLiveStation(text, 110, false);
      expect(decode).toThrow(UnexpectedResponseError);
      expect(decode).not.toThrow(BrokenResponseError);
      expect(decode).toThrow(naming('station 110', what));
    },
  );

  it('the error for a JSON response that is cut anywhere is a BrokenResponseError', () => {
    const text = JSON.stringify(ONE_STATION);
    for (let length = 1; length < text.length; length++) {
      expect(() => decodeLiveStation(text.slice(0, length), 110, false)).toThrow(
        BrokenResponseError,
      );
    }
    expect(() => decodeLiveStation(text.slice(0, 200), 110, false)).toThrow(
      naming('station 110', 'JSON'),
    );
  });

  it('the error for a response body that is no JSON names the request', () => {
    expect(() => decodeLiveStations('', true)).toThrow('all stations');
    expect(() => decodeArchive(Buffer.of(), 7)).toThrow(naming('archive', 'station 7'));
  });
});

describe('decodeError', () => {
  it('decodeError reads code and message of an error response', () => {
    const body = { error_code: 'station_not_found', error_message: 'No such station.' };
    expect(decodeError(JSON.stringify(body))).toEqual(body);
  });

  it('decodeError reads a missing message, or one that is no text, as an empty message', () => {
    const body = { error_code: 'station_not_found', error_message: '' };
    expect(decodeError('{"error_code":"station_not_found"}')).toEqual(body);
    expect(decodeError('{"error_code":"station_not_found","error_message":7}')).toEqual(body);
  });

  it.each(['', '<html>', 'null', '[]', '"x"', '{}', '{"error_code":404}', '{"error_code":"x"'])(
    'decodeError returns undefined for the body %j',
    (text) => {
      expect(decodeError(text)).toBeUndefined();
    },
  );

  it('ERROR_STATUS lists four error codes, each with its HTTP status', () => {
    expect(ERROR_STATUS).toEqual({
      station_not_found: 404,
      missing_argument: 400,
      invalid_argument: 400,
      request_too_large: 413,
    });
  });
});
