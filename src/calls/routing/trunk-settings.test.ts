import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS, FIRST_LIMITS } from '../../domain/account-limits.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import type { Trunk } from '../../kinds/trunk.ts';
import { accountRoutes } from '../testing/call-bed.ts';
import { TrunkSettings } from './trunk-settings.ts';

const trunk = (id: string, createdAtMs: number, data: Partial<Trunk>) => ({
  id,
  version: 1,
  createdAtMs,
  updatedAtMs: createdAtMs,
  data: {
    ...DEFAULTS.trunk,
    name: id,
    host: 'sip.example.com',
    port: 0,
    transport: 'udp' as const,
    addresses: [],
    username: null,
    sealed_password: null,
    register: false,
    inbound_numbers: [],
    outbound_prefixes: [],
    agents_may_call: false,
    caller_id: null,
    max_calls: 5_000,
    enabled: true,
    ...data,
  },
});

it('takes from stored trunks what the operator allows, and the older of two with one address (T38)', () => {
  const logger = pino({ enabled: false });
  const warn = vi.spyOn(logger, 'warn');
  const settings = new TrunkSettings({ seal: (text) => text, open: (text) => text }, logger);
  const accounts = [
    accountRoutes({
      id: 'b',
      limits: DEFAULT_LIMITS,
      trunks: [trunk('t', 2, { addresses: ['127.0.0.1', '203.0.113.1', '203.0.0.0/8', '192.0.2.7'] })],
    }),
    accountRoutes({
      id: 'a',
      limits: FIRST_LIMITS,
      trunks: [trunk('t', 1, { addresses: ['127.0.0.1', '192.0.2.0/24'] })],
    }),
  ];
  const taken = settings.of(accounts).map(({ id, addresses, maxCalls }) => [id, addresses, maxCalls]);
  expect(taken).toEqual([
    ['a/t', ['127.0.0.1', '192.0.2.0/24'], 5_000],
    ['b/t', ['203.0.113.1'], 1_000],
  ]);
  expect(settings.unusedAddresses('b/t')).toEqual(['127.0.0.1', '203.0.0.0/8', '192.0.2.7']);
  expect(settings.unusedAddresses('a/t')).toEqual([]);
  settings.of(accounts);
  expect(warn).toHaveBeenCalledTimes(1);
  settings.of([]);
  expect(settings.unusedAddresses('b/t')).toEqual([]);
});

it('registers a trunk only with a password that can be unsealed, and says once which cannot', () => {
  const logger = pino({ enabled: false });
  const warn = vi.spyOn(logger, 'warn');
  const error = vi.spyOn(logger, 'error');
  const open = (text: string) => (text === 'sealed' ? 'secret' : null);
  const settings = new TrunkSettings({ seal: (text) => text, open }, logger);
  const accounts = [
    accountRoutes({
      trunks: [
        trunk('good', 1, { register: true, username: 'u', sealed_password: 'sealed' }),
        trunk('locked', 2, { register: true, username: 'u', sealed_password: 'of another key' }),
        trunk('none', 3, { register: true, username: 'u' }),
        trunk('quiet', 4, { username: 'u', sealed_password: 'sealed' }),
      ],
    }),
  ];
  const taken = settings.of(accounts).map(({ register, password }) => [register, password]);
  expect(taken).toEqual([
    [true, 'secret'],
    [false, ''],
    // A registrar that asks for none.
    [true, ''],
    [false, 'secret'],
  ]);
  settings.of(accounts);
  expect(warn.mock.calls.length + error.mock.calls.length).toBe(1);
});
