// A department that calls back, with two agents and a trunk, on the test bed.

import { VirtualClock } from '../../../test/support/virtual-clock.ts';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { BlockList } from '../../domain/blocked-number.ts';
import { Numbering } from '../../domain/numbering.ts';
import { makeFlow } from '../../flow/flow.ts';
import type { CallbackRules, HoursNode } from '../../flow/node.ts';
import { aDepartment, anAgent, aQueue } from '../../flow/testing/samples.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import type { Trunk } from '../../kinds/trunk.ts';
import type { FakeLeg } from '../../telephony/fake/fake-leg.ts';
import { accountRoutes, agentRecord, callBed } from './call-bed.ts';
import { memoryCallbacks } from './memory-callbacks.ts';
import { TRUNK } from './office.ts';

export const RULES: CallbackRules = {
  key: '5',
  offerSeconds: 0,
  recording: null,
  first: 'agent',
  attempts: 3,
  pauseSeconds: 60,
  hours: null,
  perHour: 30,
};
/** Monday 10:00 is the clock's first moment. */
export const AFTERNOON: HoursNode = {
  kind: 'hours',
  ref: 'timegroup||afternoon',
  name: 'Afternoon',
  zone: 'UTC',
  weekly: [{ days: [1], from: 14 * 60, to: 18 * 60 }],
  exceptions: [],
  openDestination: null,
  closedDestination: null,
};
const provider: Trunk = {
  ...DEFAULTS.trunk,
  name: 'provider',
  host: '198.51.100.7',
  port: 5060,
  transport: 'udp',
  addresses: ['198.51.100.7'],
  sealed_password: null,
  outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }],
  agents_may_call: true,
  username: null,
  register: false,
  inbound_numbers: [],
  caller_id: null,
  max_calls: 10,
  enabled: true,
};
export const numberOf = (caller: number): string => `+49301234${String(caller).padStart(3, '0')}`;

export function callbackBed(
  rules: Partial<CallbackRules> = {},
  store = memoryCallbacks(),
  clock = new VirtualClock(),
) {
  const people = ['1', '2'].map((eid) => agentRecord(eid, `100${eid}`));
  const blocked = new BlockList(new Numbering({ country: 'DE', area_code: '' }));
  const flow = makeFlow({
    nodes: [
      ...people.map(({ eid, intercom }) => anAgent(eid, { intercom })),
      aDepartment('sales', {
        agents: ['extension||1', 'extension||2'],
        strategy: 'in_order',
        queue: aQueue({ callback: { ...RULES, ...rules } }),
      }),
      AFTERNOON,
    ],
    recordings: [],
  });
  const stamp = { id: 't1', version: 1, createdAtMs: 0, updatedAtMs: 0 };
  const account = accountRoutes(
    {
      flow,
      blocked,
      numbering: new Numbering({ country: 'DE', area_code: '' }),
      settings: { ...DEFAULT_SETTINGS, ring_seconds: 20 },
      numbers: new Map(['100', '101'].map((number) => [number, 'department||sales'])),
      priorities: new Map([['101', 9]]),
      trunks: [{ ...stamp, data: provider }],
    },
    people,
  );
  const made = callBed(() => account, undefined, undefined, undefined, [], store, clock);
  made.telephony.setTrunks([TRUNK]);
  const settled = async (): Promise<void> => {
    for (let turns = 0; turns < 12; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  /** In steps: what is stored in between is answered. */
  const pass = async (ms: number): Promise<void> => {
    const stepMs = Math.max(500, ms / 40);
    for (let left = ms; left > 0; left -= stepMs) {
      clock.advance(Math.min(stepMs, left));
      await settled();
    }
  };
  const live = (): FakeLeg[] => made.telephony.dialled.filter(({ state }) => state !== 'ended');
  /** Phones that ring at this address. */
  const ringing = (address: string): FakeLeg | undefined =>
    live().find((leg) => leg.address.startsWith(address) && leg.state !== 'answered');
  const keepsBusy = async (eid: string): Promise<FakeLeg> => {
    made.telephony.register(`acme/${eid}`);
    const caller = await made.call('100', { caller: '+4930999' });
    ringing(`acme/${eid}`)?.remote.answer();
    return caller;
  };
  /** Waits, presses the key, hears the number to its end and confirms it. */
  const asks = async (caller: number, keys = '51', dialled = '100'): Promise<FakeLeg> => {
    const leg = await made.call(dialled, { caller: numberOf(caller) });
    leg.remote.press(keys);
    await settled();
    return leg;
  };
  return { ...made, store, account, blocked, pass, settled, ringing, keepsBusy, asks };
}
