// An account whose every name, description and caller was chosen by an enemy. Stored at once, past the API: it refuses what it
// must (test/api/corpus.test.ts), and what it takes is what is stored here.

import { DEFAULT_SETTINGS } from '../../../src/domain/account.ts';
import { hashToken } from '../../../src/kit/credentials.ts';
import type { CallRow } from '../../../src/storage/ports/calls.ts';
import type { NewRecord } from '../../../src/storage/ports/records.ts';
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts';
import {
  ANNOUNCEMENT,
  aWebhook,
  CALLER_ID_RULE,
  CONTACT,
  callRow,
  menu,
  TIME_GROUP,
  VOICEMAIL_BOX,
} from '../../support/payload.ts';
import type { Service } from '../../support/service.ts';
import { PAYLOADS } from './payloads.ts';

export const HOSTILE_TOKEN = 'test-token-of-the-hostile-account';
const ACCOUNT = 'hostile';

/** What a name may be, by contract.md. */
export function mayBeName(text: string): boolean {
  const length = [...text.trim()].length;
  return text.isWellFormed() && !/\p{Cc}/u.test(text) && length > 0 && length <= 100;
}

type Body = (text: string, index: number) => object;
interface Kind {
  readonly kind: NewRecord['kind'];
  readonly body: Body;
  readonly idOf?: (index: number) => string;
}

/** By the page that lists them. */
export const LISTS: Readonly<Record<string, Kind>> = {
  '/menus': {
    kind: 'ivr',
    body: (text) => ({
      ...menu({
        name: text,
        description: text,
        incorrect_count: 2,
        option: ['1'],
        destination: ['hangup||now'],
      }),
      recording_invalid: null,
      sms_template: [],
      tests: [],
    }),
  },
  '/agents': {
    kind: 'agent',
    idOf: (index) => `agent-${index}`,
    body: (text, index) => ({
      name: text,
      follow_me_number: '',
      eid: eidOf(index),
      intercom: String(20_000 + index),
      product_clicktocall: 0,
      team_id: null,
      custom_status: 0,
      failover_destination: null,
      sip: { md5: 'x', sha256: 'x' },
    }),
  },
  '/teams': { kind: 'team', idOf: (index) => String(index + 1), body: (text) => ({ name: text }) },
  '/departments': {
    kind: 'department',
    body: (text) => ({
      name: text,
      description: text,
      agents: [],
      strategy: 'simultaneous',
      ring_seconds: null,
      failover_destination: null,
    }),
  },
  '/announcements': { kind: 'announcement', body: (text) => ({ ...ANNOUNCEMENT, name: text }) },
  '/sms': {
    kind: 'sms_template',
    body: (text) => ({ name: text, text, kind: 'transactional', status: 'active' }),
  },
  '/webhooks': {
    kind: 'webhook',
    body: (text) =>
      aWebhook({
        name: text,
        url: `https://hooks.example.com/?q=${encodeURIComponent(text)}`,
        status: 'paused',
      }),
  },
  '/voicemail': { kind: 'voicemail', body: (text) => ({ ...VOICEMAIL_BOX, name: text }) },
  '/hours': { kind: 'timegroup', body: (text) => ({ ...TIME_GROUP, name: text }) },
  '/caller-ids': { kind: 'caller_id_rule', body: (text) => ({ ...CALLER_ID_RULE, name: text }) },
  '/contacts': { kind: 'contact', body: (text) => ({ ...CONTACT, name: text }) },
};

const eidOf = (index: number): string => String(500_000 + index);

/** The address of the form of the text at `index`. */
export const formOf = (path: string, index: number): string =>
  `${path}/${path === '/agents' ? eidOf(index) : (LISTS[path]?.idOf?.(index) ?? `h${index}`)}`;

export async function fillHostile({ dataDir }: Service, texts: readonly string[]): Promise<void> {
  const storage = await openSqlite(dataDir);
  const atMs = Date.now();
  const records = Object.values(LISTS).flatMap(({ kind, body, idOf }) =>
    texts.filter(mayBeName).map((text, index): NewRecord => {
      const keys = kind === 'agent' ? { eid: eidOf(index), intercom: String(20_000 + index) } : {};
      return {
        accountId: ACCOUNT,
        kind,
        id: idOf?.(index) ?? `h${index}`,
        atMs,
        json: JSON.stringify(body(text, index)),
        keys: Object.entries(keys).map(([name, value]) => ({ name, value })),
      };
    }),
  );
  try {
    await storage.createAccount({
      account: { id: ACCOUNT, name: PAYLOADS[0] ?? '', createdAtMs: atMs, settings: DEFAULT_SETTINGS },
      token: {
        id: 'hostile-token',
        accountId: ACCOUNT,
        name: PAYLOADS[1] ?? '',
        hash: hashToken(HOSTILE_TOKEN),
        createdAtMs: atMs,
        expiresAtMs: null,
        use: 'api',
        parentId: null,
        scopes: ['admin'],
        lastUsedAtMs: null,
      },
      records,
    });
    await storage.saveCalls({
      calls: callsOf(texts.filter((text) => text.isWellFormed() && !text.includes('\0'))),
    });
  } finally {
    await storage.close();
  }
}

/** Messages of one call, at most; more are only counted. */
export const MOST_MESSAGES = 60;

/** Past calls whose callers and phones were called like that: one per text, and one with all of them in its trail. */
function callsOf(texts: readonly string[]): CallRow[] {
  const startedAtMs = Date.now() - 3_600_000;
  const common = { accountId: ACCOUNT, dialled: '100', endedAtMs: startedAtMs + 60_000 };
  const single = texts.map((text, index) =>
    callRow({
      ...common,
      id: `hostile-${index}`,
      caller: null,
      startedAtMs: startedAtMs - 1 - index,
      json: JSON.stringify({ caller_name: text, call_id: text, trail: [] }),
    }),
  );
  const sound = { packets_sent: 1, packets_received: 1, packets_lost: 0, jitter_ms: 0, one_way: false };
  const [number, reason, dialled, caller_name, call_id] = PAYLOADS;
  const leg = { role: 'caller', number, ended_by: 'peer', outcome: 'ended', status: 0, cause: 16, reason };
  const all = {
    caller_name,
    call_id,
    trail: texts.map((text, index) => ({ atMs: index, node: null, code: 'playing', text, recording: text })),
    legs: [{ ...leg, ...sound }],
    keys: [],
    ladder: PAYLOADS.slice(0, MOST_MESSAGES).map((text, index) => ({
      at_ms: index,
      leg: 0,
      direction: 'in',
      what: text,
      transport: 'udp',
      user_agent: text,
    })),
    ladder_left_out: 0,
    events: [],
  };
  const whole = {
    id: 'hostile-all',
    caller: number ?? '',
    dialled: dialled ?? '',
    startedAtMs,
    json: JSON.stringify(all),
  };
  return [...single, callRow({ ...common, ...whole })];
}
