import { expect, it } from 'vitest';
import type { TrunkState } from '../live/live-view.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import { type ObservedParts, observe } from './observations.ts';

const UP = { registered: true, reachable: true, problem: null } as TrunkState;
const STATES: Readonly<Record<string, TrunkState | null>> = {
  up: UP,
  refused: { ...UP, registered: false, problem: '403 Forbidden' },
  silent: { ...UP, registered: null, reachable: false },
  // Nothing registers or asks it: not known to be down.
  unasked: { ...UP, registered: null, reachable: null },
  unknown: null,
};

function parts(change: Partial<ObservedParts> = {}): ObservedParts {
  const trunks = Object.keys(STATES).map((id) => ({ id, data: { name: `Trunk ${id}` } }));
  const nodes = new Map([['department||sales', { kind: 'department', name: 'Sales' }]]);
  return {
    accounts: [{ id: 'acme', trunks, flow: { nodes } } as unknown as AccountRoutes],
    callsOf: async () => ({ calls: [], unanswered: [] }),
    trunkState: async ({ id }) => STATES[id] ?? null,
    queueOf: async () => ({ waiting: [], agents: [] }) as never,
    callbacksOf: async () => [],
    epochMs: () => 10_000,
    ...change,
  };
}

it('a trunk that is refused or does not answer is down, with the reason; one that nothing asks is not', async () => {
  const seen = await observe(parts(), new Map());
  expect(seen.map(({ type, subject, name, facts }) => [type, subject, name, facts.problem])).toEqual([
    ['trunk_down', 'trunk||refused', 'Trunk refused', '403 Forbidden'],
    ['trunk_down', 'trunk||silent', 'Trunk silent', null],
  ]);
});

it('a queue is looked at while a caller waits there or a notification is open', async () => {
  const trunkState = async (): Promise<null> => null;
  expect(await observe(parts({ trunkState }), new Map())).toEqual([]);
  const waiting = async () => ({ waiting: [{ sinceMs: 4_000 }, { sinceMs: 9_000 }] }) as never;
  const calls = [{ state: 'queue', node: 'department||sales' }] as never;
  const open = new Map([['acme', new Set(['department||sales'])]]);
  const about = { type: 'queue_too_long', subject: 'department||sales', name: 'Sales' };
  expect(
    await observe(
      parts({ trunkState, queueOf: waiting, callsOf: async () => ({ calls, unanswered: [] }) }),
      new Map(),
    ),
  ).toMatchObject([{ ...about, facts: { waiting: 2, wait_ms: 6_000 } }]);
  expect(await observe(parts({ trunkState }), open)).toMatchObject([{ ...about, facts: { waiting: 0 } }]);
});
