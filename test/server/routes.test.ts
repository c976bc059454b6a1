import { describe } from 'vitest';
import { startServer } from '../../src/server/server.ts';
import { fixtureService, NOW } from '../support/fixture-service.ts';
import { conformanceSuite } from './conformance.ts';

describe('a server of made-up stations', () => {
  conformanceSuite(() =>
    startServer({ service: fixtureService, host: '127.0.0.1', port: 0, now: () => NOW }),
  );
});
