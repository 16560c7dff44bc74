// An account with a menu, a department, seven agents and a trunk, on the test bed.

import { BLOCKED_NUMBER, CALLER_ID_RULE } from '../../../test/support/payload.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../domain/account.ts';
import { type AccountLimits, FIRST_LIMITS } from '../../domain/account-limits.ts';
import { BlockList } from '../../domain/blocked-number.ts';
import { CallerIdRules } from '../../domain/caller-id-rule.ts';
import { flowSettings } from '../../domain/compile.ts';
import { Numbering } from '../../domain/numbering.ts';
import { makeFlow } from '../../flow/flow.ts';
import type { DepartmentNode, RoomNode } from '../../flow/node.ts';
import { aDepartment, aMenu } from '../../flow/testing/samples.ts';
import type { Agent } from '../../kinds/agent.ts';
import type { BlockedNumber } from '../../kinds/blocked-number.ts';
import type { CallerIdRule } from '../../kinds/caller-id-rule.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import { agentNode } from '../../kinds/nodes.ts';
import type { Trunk } from '../../kinds/trunk.ts';
import type { Allowance } from '../../sharing/ports/allowance.ts';
import type { Slots } from '../../sharing/ports/slots.ts';
import type { AccountRoutes } from '../routing/routing.ts';
import { accountRoutes, agentRecord, callBed } from './call-bed.ts';

export const OPERATOR = { kind: 'operator', id: 'token-1', name: 'Desk' } as const;

const RECORDINGS = ['welcome', 'invalid', 'still-there', 'goodbye'];

const option = (keys: string, destination: string) => ({ keys, destination, smsTemplate: null });

const menu = aMenu('main', {
  name: 'Main',
  options: [option('1', 'extension||1'), option('2', 'department||sales'), option('3', 'extension||3')],
  invalidDestination: 'hangup||',
  timeoutRetryRecording: 'still-there',
  timeoutRecording: 'goodbye',
  timeoutDestination: 'hangup||',
  timeoutTries: 0,
});

const sales = aDepartment('sales', {
  name: 'Sales',
  agents: ['extension||1', 'extension||2'],
  strategy: 'round_robin',
  ringSeconds: null,
});

const trunk: Trunk = {
  ...DEFAULTS.trunk,
  name: 'provider',
  host: '198.51.100.7',
  port: 5060,
  transport: 'udp',
  addresses: ['198.51.100.7'],
  username: '',
  sealed_password: null,
  register: false,
  inbound_numbers: [],
  outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
  agents_may_call: true,
  caller_id: null,
  max_calls: 10,
  enabled: true,
};

/** The account's trunk as telephony knows it. */
export const TRUNK = {
  id: 'acme/t1',
  account: 'acme',
  name: 'outside',
  host: 'x',
  port: 0,
  protocol: 'udp',
  privateHost: true,
  addresses: [],
  username: '',
  password: '',
  register: false,
  maxCalls: 10,
  callerId: null,
} as const;

const stored = <T>(id: string, data: T) => ({ id, version: 1, createdAtMs: 0, updatedAtMs: 0, data });

interface OfficeOptions {
  readonly agents?: readonly Agent[];
  readonly soundless?: boolean;
  readonly blocks?: readonly Partial<BlockedNumber>[];
  readonly rules?: readonly Partial<CallerIdRule>[];
  readonly sensitive?: boolean;
  readonly trunk?: Partial<Trunk>;
  /** Trunks beside that: t2, t3 … */
  readonly more?: readonly Partial<Trunk>[];
  readonly sales?: Partial<DepartmentNode>;
  readonly numbers?: Readonly<Record<string, string>>;
  /** The priorities of those numbers. */
  readonly priorities?: Readonly<Record<string, number>>;
  readonly limits?: Partial<AccountLimits>;
  readonly slots?: Slots;
  readonly rooms?: readonly RoomNode[];
  readonly clicks?: Allowance;
  /** Other accounts of the same service. */
  readonly others?: readonly AccountRoutes[];
}

export function office(settings: Partial<Settings> = {}, options: OfficeOptions = {}) {
  const {
    agents: more = [],
    soundless = false,
    blocks = [],
    rules = [],

    sensitive = false,
  } = options;
  const numbering = new Numbering({ ...DEFAULT_SETTINGS, ...settings });
  const blocked = new BlockList(numbering);
  for (const block of blocks) blocked.add({ ...BLOCKED_NUMBER, ...block });
  const agents = [
    agentRecord('1', '1001'),
    agentRecord('2', '1002'),
    agentRecord('3', '1003', { follow_me_number: '+441234' }),
    agentRecord('4', '1004', { product_clicktocall: 1 }),
    agentRecord('5', '1005', { product_clicktocall: 1, custom_status: 1 }),
    agentRecord('6', '1006', { product_clicktocall: 1 }),
    agentRecord('7', '1007', { product_clicktocall: 1, follow_me_number: '+447777' }),
    ...more,
  ];
  const callerIds = new CallerIdRules(
    rules.map((data, index) => stored(`r${index}`, { ...CALLER_ID_RULE, ...data })),
    (department) => (department === 'sales' ? ['1', '2'] : []),
    numbering,
  );
  const account = accountRoutes(
    {
      settings: { ...DEFAULT_SETTINGS, ...settings },
      limits: { ...FIRST_LIMITS, ...options.limits },
      flow: makeFlow({
        nodes: [
          { ...menu, sensitive },
          { ...sales, ...options.sales, ref: sales.ref },
          ...agents.map(agentNode),
          ...(options.rooms ?? []),
        ],
        recordings: RECORDINGS.map((id) => ({ id, name: id, durationMs: 2000 })),
        settings: flowSettings({ ...DEFAULT_SETTINGS, ...settings }),
      }),
      numbers: new Map(Object.entries({ '100': 'ivr||main', ...options.numbers })),
      priorities: new Map(Object.entries(options.priorities ?? {})),
      sounds: new Map(soundless ? [] : RECORDINGS.map((id) => [id, `sound of ${id}`])),
      numbering,
      trunks: [options.trunk ?? {}, ...(options.more ?? [])].map((own, at) =>
        stored(`t${at + 1}`, { ...trunk, ...own }),
      ),
      blocked,
      callerIds,
    },
    agents,
  );
  return callBed(() => account, undefined, options.slots, options.clicks, options.others);
}
