import { expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { Numbering } from '../../domain/numbering.ts';
import { makeFlow } from '../../flow/flow.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import type { Trunk } from '../../kinds/trunk.ts';
import { AccountContext } from '../account-context.ts';
import type { CallEnvironment } from '../environment.ts';
import type { CallFacts } from '../records/call-record.ts';
import { accountRoutes } from '../testing/call-bed.ts';
import { ChosenNumbers, MAX_CHOSEN_PER_HOUR } from './chosen-numbers.ts';
import type { QueueSms } from './sms-writer.ts';

const HOUR_MS = 3_600_000;

it('one caller has three numbers of their choice texted in an hour, and one number gets three', () => {
  let nowMs = 0;
  const numbers = new ChosenNumbers(() => nowMs);
  const take = (caller: string, number: string, account = 'acme') =>
    numbers.take(account, { caller, number });
  expect(['1', '2', '3', '4'].map((number) => take('a', number))).toEqual([true, true, true, false]);
  // Forged caller IDs, one victim.
  expect(['b', 'c', 'd', 'e'].map((caller) => take(caller, '9'))).toEqual([true, true, true, false]);
  expect(take('a', '1', 'other')).toBe(true);
  nowMs = HOUR_MS;
  expect(take('a', '1')).toBe(true);
});

it('an account texts so many chosen numbers in an hour, whoever calls', () => {
  const numbers = new ChosenNumbers(() => 0);
  const taken = Array.from({ length: 300 }, (_, at) =>
    numbers.take('acme', { caller: `c${at}`, number: `n${at}` }),
  );
  expect(taken.filter(Boolean)).toHaveLength(MAX_CHOSEN_PER_HOUR);
});

it('a chosen number is texted where it would be called back: dialled by agents, at home, not premium', () => {
  const settings = { ...DEFAULT_SETTINGS, country: 'DE' };
  const trunk = {
    ...DEFAULTS.trunk,
    outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }],
    enabled: true,
  };
  const textedTo = (agents_may_call: boolean, to: string, chosen: boolean): boolean => {
    const data = { ...trunk, agents_may_call } as unknown as Trunk;
    const trunks = [{ id: 't', version: 1, createdAtMs: 0, updatedAtMs: 0, data }];
    const account = accountRoutes({ settings, numbering: new Numbering(settings), trunks });
    const services = { smsWriter: { queue: () => 'sent' } } as unknown as CallEnvironment;
    const action = { type: 'queue-sms', to, ...(chosen ? { chosen: true } : {}) } as QueueSms;
    const facts = { caller: '+49301234567' } as CallFacts;
    return new AccountContext(account, services).queueSms(makeFlow({ nodes: [] }), facts, action) === 'sent';
  };
  expect(textedTo(true, '+491711234567', true)).toBe(true);
  expect(textedTo(false, '+491711234567', true)).toBe(false);
  expect(textedTo(true, '+2521234567', true)).toBe(false);
  expect(textedTo(true, '+499001234567', true)).toBe(false);
  // Named by the flow, or the caller's own.
  expect(textedTo(false, '+2521234567', false)).toBe(true);
});
