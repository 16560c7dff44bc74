import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import { FIRST_LIMITS } from '../domain/account-limits.ts';
import { MemorySlots } from '../sharing/memory/slots.ts';
import { FakeLeg } from '../telephony/fake/fake-leg.ts';
import { AccountCalls, legQuotas, quotasOf } from './call-caps.ts';
import { OutboundSlots } from './outbound-slots.ts';
import { accountRoutes, callBed } from './testing/call-bed.ts';
import { office, TRUNK } from './testing/office.ts';

const limits = { ...FIRST_LIMITS, max_calls: 2, max_legs: 9, max_calls_per_agent: 3, max_outbound_calls: 1 };

describe('the operator’s caps (T41)', () => {
  it('count legs of an agent and of the account', () => {
    const account = accountRoutes({ limits });
    expect(legQuotas(account, 'acme/1')).toEqual([
      { key: 'agent acme/1', most: 3, status: 486 },
      { key: 'account acme', most: 9, status: 503 },
    ]);
    expect(legQuotas(account, null)).toEqual([{ key: 'account acme', most: 9, status: 503 }]);
  });

  it('leave half of the account’s calls to others than visitors of web pages', () => {
    const account = accountRoutes({ limits: { ...limits, max_calls: 9 } });
    const others = (key: string): number => (key === 'visitors acme' ? 2 : 0);
    const counts = { set: () => undefined, others };
    const session = { id: 'acme/s', to: '100', dial: '100', name: '', network: '203.0.113.9' } as const;
    const guest = (button: string | null) =>
      ({ ...session, kind: 'guest', visitor: { button, page: '' } }) as const;
    expect(quotasOf(account, guest('acme.sales'), counts)).toEqual([
      { key: 'visitors acme', most: 3, status: 503 },
      { key: 'guest acme/s', most: 1, status: 486 },
      { key: 'account acme', most: 9, status: 503 },
    ]);
    expect(quotasOf(account, guest(null), counts)).toHaveLength(2);
  });

  it('count calls of an account, until they end', () => {
    const calls = new AccountCalls();
    const account = accountRoutes({ limits });
    calls.began('acme');
    calls.began('other');
    expect(calls.isFull(account)).toBe(false);
    calls.began('acme');
    expect(calls.isFull(account)).toBe(true);
    calls.ended('acme');
    expect(calls.isFull(account)).toBe(false);
  });

  it('refuse a call beyond them from any side, and take one again after an end', async () => {
    const flowNumbers = new Map([['100', 'hangup||none' as const]]);
    const trunks = accountRoutes({}).trunks;
    const account = accountRoutes({ limits: { ...limits, max_calls: 0 }, numbers: flowNumbers, trunks });
    const { telephony } = callBed(() => account);
    expect(await telephony.call('100')).toEqual({ status: 503, retryAfterSeconds: 5 });
    const phone = { kind: 'phone', id: 'acme/1' } as const;
    expect(await telephony.call('100', { peer: phone })).toEqual({ status: 503, retryAfterSeconds: 5 });
    expect(telephony.came.filter((leg) => leg instanceof FakeLeg)).toHaveLength(1);
  });

  it('hold for all nodes together, as far as is known of the others', () => {
    const others = new Map([
      ['account acme', 8],
      ['agent acme/1', 1],
      ['calls acme', 1],
    ]);
    const own = new Map<string, number>();
    const counts = {
      set: (key: string, count: number) => void own.set(key, count),
      others: (key: string) => others.get(key) ?? 0,
    };
    const account = accountRoutes({
      limits: { ...limits, max_legs: 9, max_calls_per_agent: 4, max_calls: 2 },
    });
    expect(legQuotas(account, 'acme/1', counts).map(({ most }) => most)).toEqual([3, 1]);
    const calls = new AccountCalls(counts);
    expect(calls.isFull(account)).toBe(false);
    calls.began('acme');
    expect([calls.isFull(account), own.get('calls acme')]).toEqual([true, 1]);
    calls.ended('acme');
    expect([calls.isFull(account), own.get('calls acme')]).toEqual([false, 0]);
  });

  it.each([
    ['max_calls_per_agent', '1', 'the agent has as many calls as the limit max_calls_per_agent allows'],
    ['max_legs', '1', 'the account has as many sides of calls as the limit max_legs allows'],
    ['max_outbound_calls', '3', 'max_outbound_calls of the account or max_calls of the trunk allows no more'],
  ] as const)('are named where a phone is not rung for them: %s', async (limit, key, text) => {
    const { telephony, call, rows } = office({}, { limits: { [limit]: 0 } });
    telephony.setTrunks([TRUNK]);
    telephony.register('acme/1');
    const caller = await call('100');
    caller.remote.press(key);
    caller.remote.hangUp();
    const { trail } = JSON.parse(rows[0]?.json ?? '') as { trail: { code: string; text: string }[] };
    const said = trail.filter(({ code }) => code === 'agent-unreachable').map((entry) => entry.text);
    expect(said.join('\n')).toMatch(new RegExp(`cannot be reached: ${text}\\.$`, 'm'));
    expect(telephony.dialled).toEqual([]);
  });

  it('stand above the account’s own setting', () => {
    const slots = new OutboundSlots(new MemorySlots());
    const account = accountRoutes({ limits, settings: { ...DEFAULT_SETTINGS, max_outbound_calls: 30 } });
    expect(slots.acquire(account, { kind: 'trunk', id: 'acme/t1', number: '1' }, 'call')).not.toBeNull();
    expect(slots.acquire(account, { kind: 'trunk', id: 'acme/t1', number: '1' }, 'call')).toBeNull();
  });
});
