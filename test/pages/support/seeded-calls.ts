// Calls that are over, put into the storage of a running service as it would have written them itself.

import type { AgentState } from '../../../src/domain/agent-state.ts';
import type { CallRow } from '../../../src/storage/ports/calls.ts';
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts';
import { callRow } from '../../support/payload.ts';
import type { OwnAccount } from '../../support/shared.ts';

const line = (atMs: number, node: string | null, code: string, more: object = {}) => ({
  atMs,
  node,
  code,
  text: '',
  ...more,
});

export type Fate = 'answered' | 'rang' | 'rang-sales' | 'hung-up' | 'silent' | 'wrong';

const MENU = 'ivr||main';
const chose = (keys: string, destination: string): object[] => [
  line(1400, MENU, 'key-pressed', { keys }),
  line(1400, MENU, 'option-matched', { keys, destination }),
];

/** By the demonstration's menu: 1 leads to Sales (Asha and Ben), 2 to Support (Chen). */
const FATES: Readonly<Record<Fate, { trail: readonly object[]; row: Partial<CallRow> }>> = {
  answered: {
    trail: [
      ...chose('1', 'department||sales'),
      line(1400, 'department||sales', 'arrived'),
      line(1400, 'department||sales', 'ringing', { rung: ['extension||100001', 'extension||100002'] }),
      line(1500, 'extension||100001', 'ring-progressed'),
      line(1500, 'extension||100002', 'ring-progressed'),
      line(5400, 'department||sales', 'connected'),
    ],
    row: { answeredBy: '100001', ringMs: 4000, talkMs: 60_000, endCode: 'agent-hung-up' },
  },
  rang: {
    trail: [
      ...chose('2', 'department||support'),
      line(1400, 'department||support', 'arrived'),
      line(1400, 'department||support', 'ringing', { rung: ['extension||100003'] }),
      line(1500, 'extension||100003', 'ring-progressed'),
      line(9000, null, 'ended'),
    ],
    row: {},
  },
  'rang-sales': {
    trail: [
      ...chose('1', 'department||sales'),
      line(1400, 'department||sales', 'arrived'),
      line(1400, 'department||sales', 'ringing', { rung: ['extension||100001'] }),
      line(1500, 'extension||100001', 'ring-progressed'),
      line(9000, null, 'ended'),
    ],
    row: {},
  },
  'hung-up': { trail: [line(500, MENU, 'ended')], row: {} },
  silent: {
    trail: [
      line(5000, MENU, 'timeout-retry'),
      line(10_000, MENU, 'timeout-final', { destination: 'extension||100001' }),
      line(12_000, 'extension||100001', 'arrived'),
      line(12_000, 'extension||100001', 'ringing', { rung: ['extension||100001'] }),
      line(12_100, 'extension||100001', 'ring-progressed'),
    ],
    row: {},
  },
  wrong: {
    trail: [
      line(1000, MENU, 'key-pressed', { keys: '9' }),
      line(1000, MENU, 'invalid-retry', { keys: '9' }),
      line(3000, MENU, 'key-pressed', { keys: '8' }),
      line(3000, MENU, 'invalid-final', { keys: '8', destination: 'extension||100001' }),
      line(3000, 'extension||100001', 'arrived'),
    ],
    row: {},
  },
};

export interface Seed {
  readonly fate: Fate;
  readonly startedAtMs: number;
  /** What else is different. */
  readonly row?: Partial<CallRow>;
}

type Place = Pick<OwnAccount, 'dataDir' | 'account'>;

export async function seedCalls(service: Place, seeds: readonly Seed[]): Promise<void> {
  const storage = await openSqlite(service.dataDir);
  try {
    const { account: accountId } = service;
    const calls = seeds.map(({ fate, startedAtMs, row: more }, index) => {
      const { trail, row } = FATES[fate];
      const all = [line(0, MENU, 'arrived'), ...trail];
      const times = { startedAtMs, endedAtMs: startedAtMs + 70_000 };
      const json = JSON.stringify({ trail: all, caller_name: '' });
      return callRow({ accountId, id: `seeded-${index}-${accountId}`, ...times, ...row, ...more, json });
    });
    await storage.saveCalls({ calls });
  } finally {
    await storage.close();
  }
}

/** Time of an agent in states, in ms. */
export async function seedTimes(
  service: Place,
  atMs: number,
  eid: string,
  states: Partial<Record<AgentState, number>>,
): Promise<void> {
  const storage = await openSqlite(service.dataDir);
  try {
    const { account: accountId } = service;
    const counts = Object.entries(states).map(([state, value]) => ({
      subject: `extension||${eid}`,
      measure: `state ${state}`,
      value,
    }));
    await storage.addCounts({ added: [{ accountId, atMs, counts }] });
  } finally {
    await storage.close();
  }
}
