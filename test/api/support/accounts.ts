// Two accounts on one service whose records look alike: equal names, eids, intercoms and team numbers.

import type { Callback } from '../../../src/domain/callback.ts';
import { deliveryJob, eventBody } from '../../../src/domain/webhook.ts';
import { hashToken } from '../../../src/kit/credentials.ts';
import { openPostgres } from '../../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts';
import { storeCallRecording } from '../../support/call-recording-rows.ts';
import type { Database } from '../../support/databases.ts';
import { callRow, menu } from '../../support/payload.ts';
import { recordingForm } from '../../support/recording-form.ts';
import { call, type Json, runDialtree, type Service, startService, TOKEN } from '../../support/service.ts';

/** What a row of the matrix can address: A's records that B has no equal of, and those that both have. */
export interface Seeded {
  readonly service: Service;
  /** Where its database is. */
  readonly env: Readonly<Record<string, string>>;
  /** Tokens: A's, B's, one of A's that was revoked and one of A's that has expired. */
  readonly a: string;
  readonly b: string;
  readonly revoked: string;
  readonly expired: string;
  readonly onlyA: Readonly<
    Record<
      | 'ivr'
      | 'agent'
      | 'team'
      | 'number'
      | 'trunk'
      | 'call'
      | 'recording'
      | 'webhook'
      | 'delivery'
      | OfPeople
      | 'smsTemplate'
      | 'sms'
      | OfCallRecordings,
      string
    >
  >;
  readonly department: string;
  readonly tokenId: string;
  readonly twin: {
    readonly agent: string;
    readonly team: string;
    readonly call: string;
    readonly sms: string;
  };
  /** Texts that only A may read. */
  readonly secretsOfA: readonly string[];
}

/** Ids by kind; those of a twin both accounts have. */
const CALL_RECORDINGS = { voicemail: 'message-of-a', callRecording: 'recording-of-a' } as const;
type OfCallRecordings = keyof typeof CALL_RECORDINGS;
export const TWIN_CALL_RECORDINGS = { voicemail: 'same-message', callRecording: 'same-recording' } as const;

type LogicKind = 'collect' | 'request' | 'stream' | 'switch' | 'message' | 'sipAddress';
type OfPeople =
  | LogicKind
  | 'timeGroup'
  | 'announcement'
  | 'voicemailBox'
  | 'room'
  | 'blockedNumber'
  | 'callerIdRule'
  | 'contact';

/** Bodies of the kinds that ask, decide and send, without a name. */
export const FLOW_LOGIC = {
  collect: {
    recording: 'welcome',
    max_digits: 6,
    save_as: 'order',
    next_destination: 'hangup||now',
    failed_destination: 'hangup||now',
  },
  request: {
    url: 'https://shop.example.com/order',
    next_destination: 'hangup||now',
    failed_destination: 'hangup||now',
  },
  stream: {
    url: 'wss://bot.example.com/talk',
    next_destination: 'hangup||now',
    failed_destination: 'hangup||now',
  },
  switch: { rules: [], otherwise_destination: 'hangup||now' },
  message: { sms_template: 'none', next_destination: 'hangup||now' },
  sipAddress: { uri: 'sip:desk@pbx.example.com' },
} as const;

/** The node id of the service. */
export const CALLBACK_OF_A = 'callback-of-a';
export const NODE = 'matrix';
export const EXPIRED = 'a-token-whose-time-is-over';
export const TWIN_AGENT = { name: 'Same name', eid: '100001', intercom: '1001' };

export async function seed(database: Pick<Database, 'environment'>): Promise<Seeded> {
  const env = { ...(await database.environment()), NODE_ID: NODE };
  const service = await startService({ env });
  const made = await runDialtree(['account', 'create', 'second'], { env });
  if (made.code !== 0) throw new Error(`No second account: ${made.err}`);
  const b = made.out.trim();

  const create = async (token: string, path: string, body: object): Promise<Json> => {
    const { status, json, text, headers } = await call(service.url, 'POST', path, { token, body });
    if (status !== 201) throw new Error(`POST ${path}: ${status} ${text}`);
    return { ...json, path: headers.get('location') };
  };
  const idOf = async (path: string, body: object): Promise<string> => (await create(TOKEN, path, body)).id;
  for (const token of [TOKEN, b]) {
    const mark = token === TOKEN ? 'A' : 'B';
    await create(token, '/v1/team', { name: `Same team of ${mark}` });
    await create(token, '/v1/agent', { ...TWIN_AGENT, follow_me_number: mark === 'A' ? '111111' : '222222' });
    await create(token, '/v1/department', { name: 'Same department', description: `of ${mark}` });
    await create(token, '/v1/ivr', menu({ name: 'Same menu', description: `of ${mark}` }));
    await create(token, '/v1/number', {
      number: '100',
      destination: 'extension||100001',
      description: `of ${mark}`,
    });
    await create(
      token,
      '/v1/recording',
      recordingForm({ name: 'Same recording', description: `of ${mark}` }),
    );
    await create(token, '/v1/sms_template', { name: 'Same template', text: `of ${mark}` });
    await create(token, '/v1/trunk', {
      name: 'Same trunk',
      host: '192.0.2.9',
      addresses: [],
      username: `trunk of ${mark}`,
    });
    await create(token, '/v1/timegroup', { name: `Hours of ${mark}`, timezone: 'UTC' });
    await create(token, '/v1/announcement', {
      name: `Notice of ${mark}`,
      recording: 'welcome',
      destination: 'hangup||now',
    });
    await create(token, '/v1/voicemail_box', { name: `Box of ${mark}` });
    await create(token, '/v1/room', { name: `Room of ${mark}` });
    for (const [kind, body] of Object.entries(FLOW_LOGIC)) {
      const path = kind === 'sipAddress' ? '/v1/sip_address' : `/v1/${kind}`;
      await create(token, path, { ...body, name: `${kind} of ${mark}` });
    }
    await create(token, '/v1/blocked_number', { number: '4900', reason: `of ${mark}` });
    await create(token, '/v1/caller_id_rule', { name: `Rule of ${mark}`, show: 'caller' });
    await create(token, '/v1/contact', { name: `Contact of ${mark}`, numbers: ['4715'] });
    await create(token, '/v1/webhook', { name: `webhook of ${mark}`, url: 'https://hooks.example.com/' });
  }
  const agent = { name: 'Agent of A alone', eid: 'only-a', intercom: '2001' };
  const agentId = (await create(TOKEN, '/v1/agent', agent)).id;
  const department = (await create(TOKEN, '/v1/department', { name: 'Department of A alone' })).id;
  const ivr = (await create(TOKEN, '/v1/ivr', menu({ name: 'Menu of A alone' }))).path.split('/').at(-1);
  await call(service.url, 'PUT', `/v1/ivr/${ivr}`, { body: menu({ name: 'Menu of A alone, again' }) });
  const number = (await create(TOKEN, '/v1/number', { number: '111111', destination: 'hangup||now' })).id;
  const trunk = (await create(TOKEN, '/v1/trunk', { name: 'Trunk of A alone', host: '192.0.2.8' })).id;
  const people = {
    timeGroup: await idOf('/v1/timegroup', { name: 'Time group of A alone', timezone: 'UTC' }),
    announcement: await idOf('/v1/announcement', {
      name: 'Announcement of A alone',
      recording: 'welcome',
      destination: 'hangup||now',
    }),
    room: await idOf('/v1/room', { name: 'Room of A alone' }),
    collect: await idOf('/v1/collect', { ...FLOW_LOGIC.collect, name: 'Collect of A alone' }),
    request: await idOf('/v1/request', { ...FLOW_LOGIC.request, name: 'Request of A alone' }),
    stream: await idOf('/v1/stream', { ...FLOW_LOGIC.stream, name: 'Stream of A alone' }),
    switch: await idOf('/v1/switch', { ...FLOW_LOGIC.switch, name: 'Switch of A alone' }),
    message: await idOf('/v1/message', { ...FLOW_LOGIC.message, name: 'Message of A alone' }),
    sipAddress: await idOf('/v1/sip_address', { ...FLOW_LOGIC.sipAddress, name: 'SIP address of A alone' }),
    voicemailBox: await idOf('/v1/voicemail_box', { name: 'Voicemail box of A alone' }),
    blockedNumber: await idOf('/v1/blocked_number', { number: '4999' }),
    callerIdRule: await idOf('/v1/caller_id_rule', { name: 'Rule of A alone', show: 'withhold' }),
    contact: await idOf('/v1/contact', { name: 'Contact of A alone', numbers: ['4999'] }),
  };
  const recording = (await create(TOKEN, '/v1/recording', recordingForm({ name: 'Recording of A alone' })))
    .id;
  const hook = { name: 'Webhook of A alone', url: 'https://hooks.example.com/', status: 'paused' };
  const webhook = (await create(TOKEN, '/v1/webhook', hook)).id;
  const delivery = 'delivery-of-a';
  const smsTemplate = (await create(TOKEN, '/v1/sms_template', { name: 'x', text: 'Template of A alone' }))
    .id;
  // Far above the numbers that B's own teams get.
  let team = '';
  while (Number(team) < 9) team = String((await create(TOKEN, '/v1/team', { name: 'Team of A alone' })).id);
  const spare = await create(TOKEN, '/v1/token', { name: 'Token of A alone' });

  const revoked = await create(TOKEN, '/v1/token', { name: 'soon revoked' });
  const works = await call(service.url, 'GET', '/v1/agents', { token: revoked.token });
  if (works.status !== 200) throw new Error('A new token does not work.');
  await call(service.url, 'DELETE', `/v1/token/${revoked.id}`);
  await storeDirectly(env, webhook, delivery);

  return {
    service,
    env,
    a: TOKEN,
    b,
    revoked: revoked.token,
    expired: EXPIRED,
    onlyA: {
      ivr,
      agent: agent.eid,
      team,
      number,
      trunk,
      call: 'call-of-a',
      recording,
      ...people,
      webhook,
      delivery,
      smsTemplate,
      sms: 'sms-of-a',
      ...CALL_RECORDINGS,
    },
    department,
    tokenId: spare.id,
    twin: { agent: TWIN_AGENT.eid, team: '1', call: 'same-call', sms: 'same-sms' },
    secretsOfA: [
      'sms-of-a',
      smsTemplate,
      'of A',
      'only-a',
      '111111',
      'call-of-a',
      ivr,
      department,
      agentId,
      spare.id,
      number,
      trunk,
      ...Object.values(people),
      recording,
      ...Object.values(CALL_RECORDINGS),
      webhook,
    ],
  };
}

/** What cannot be asked for over HTTP: a token that lives less than a day, calls and what was recorded of them. */
async function storeDirectly(
  env: Readonly<Record<string, string>>,
  webhook: string,
  delivery: string,
): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR: folder = '' } = env;
  const storage = url ? await openPostgres({ url }) : await openSqlite(folder);
  const accounts = await storage.listAccounts();
  const [account] = accounts.filter(({ name }) => name !== 'second');
  const [second] = accounts.filter(({ name }) => name === 'second');
  const ofA = { accountId: account?.id ?? '', caller: '111111' };
  await storage.saveCalls({
    calls: [
      callRow({ ...ofA, id: 'same-call' }),
      callRow({ ...ofA, id: 'call-of-a', answeredBy: TWIN_AGENT.eid }),
      callRow({ accountId: second?.id ?? '', caller: '222222', id: 'same-call' }),
    ],
  });
  for (const { accountId, caller } of [ofA, { accountId: second?.id ?? '', caller: '222222' }]) {
    const ids =
      accountId === ofA.accountId ? [CALL_RECORDINGS, TWIN_CALL_RECORDINGS] : [TWIN_CALL_RECORDINGS];
    for (const { voicemail, callRecording } of ids) {
      await storeCallRecording(storage, folder, { accountId, caller, id: voicemail });
      await storeCallRecording(storage, folder, {
        accountId,
        caller,
        id: callRecording,
        kind: 'call',
        box: null,
      });
    }
  }
  // Due long after the matrix: the service would change what is compared.
  const createdAtMs = Date.now() + 3_600_000;
  const callbacks = [
    callbackOf(account?.id ?? '', CALLBACK_OF_A, '+1111111111'),
    callbackOf(second?.id ?? '', 'callback-of-b', '+2222222222'),
  ];
  for (const callback of callbacks)
    await storage.addCallback({ callback, limits: { department: 1, account: 1 } });
  const sms = { callId: null, to: '+1111111111', templateId: null, parts: 1, createdAtMs };
  const ofB = { ...sms, to: '+2222222222', accountId: second?.id ?? '', text: 'of B' };
  await storage.queueMessages({
    messages: [
      { ...sms, accountId: account?.id ?? '', id: 'same-sms', text: 'of A' },
      { ...sms, accountId: account?.id ?? '', id: 'sms-of-a', text: 'of A' },
      { ...ofB, id: 'same-sms' },
    ],
  });
  const nowMs = Date.now();
  const body = eventBody({ id: 'event', type: 'call.ended', atMs: nowMs, data: { note: 'of A' } });
  const job = deliveryJob(ofA.accountId, webhook, { id: 'event', callId: null, atMs: nowMs }, body);
  // Due in an hour: while the matrix is asked nothing changes by itself.
  await storage.addJobs({ jobs: [{ ...job, id: delivery, dueAtMs: nowMs + 3_600_000 }] });
  const times = {
    createdAtMs: nowMs - 60_000,
    expiresAtMs: nowMs - 1000,
    lastUsedAtMs: null,
    use: 'api',
    parentId: null,
    scopes: ['admin'],
  } as const;
  await storage.createToken({
    token: { id: 'expired', accountId: account?.id ?? '', name: 'old', hash: hashToken(EXPIRED), ...times },
  });
  await storage.close();
}

/** Everything A can read, to be held against itself later. */
export async function readAll({ service, a, onlyA, twin, department }: Seeded): Promise<Json> {
  const paths = [
    '/v1/agents',
    '/v2/agents',
    '/v1/ivrs',
    `/v1/ivr/${onlyA.ivr}`,
    `/v1/ivr/${onlyA.ivr}/versions`,
    `/v1/agent/${onlyA.agent}`,
    `/v1/agent/${twin.agent}`,
    '/v1/teams',
    `/v1/team/${twin.team}`,
    '/v1/departments',
    '/v1/numbers',
    '/v1/trunks',
    '/v1/timegroups',
    '/v1/announcements',
    '/v1/voicemail_boxes',
    '/v1/rooms',
    '/v1/collects',
    '/v1/requests',
    '/v1/streams',
    '/v1/switches',
    '/v1/messages',
    '/v1/sip_addresses',
    '/v1/recordings',
    `/v1/recording/${onlyA.recording}/versions`,
    '/v1/voicemails',
    `/v1/voicemail/${TWIN_CALL_RECORDINGS.voicemail}`,
    `/v1/voicemail/${TWIN_CALL_RECORDINGS.voicemail}/audio`,
    '/v1/call/recordings',
    `/v1/call/recording/${TWIN_CALL_RECORDINGS.callRecording}/audio`,
    '/v1/blocked_numbers',
    '/v1/caller_id_rules',
    '/v1/contacts',
    '/v1/webhooks',
    `/v1/webhook/${onlyA.webhook}`,
    `/v1/webhook/${onlyA.webhook}/deliveries`,
    '/v1/sms_templates',
    '/v1/sms',
    '/v1/callbacks',
    '/v1/call/records',
    '/v1/call/records?caller=111111',
    `/v1/ivr/${onlyA.ivr}/statistics?from=2026-11-15&to=2026-11-16`,
    '/v1/statistics?from=2026-11-15&to=2026-11-16',
    '/v1/statistics/ivrs?from=2026-11-15&to=2026-11-16',
    `/v1/department/${department}`,
    '/v1/settings',
    '/v1/limits',
    '/v1/tokens',
  ];
  const replies = await Promise.all(paths.map((path) => call(service.url, 'GET', path, { token: a })));
  return Object.fromEntries(
    paths.map((path, index) => [
      path,
      { status: replies[index]?.status, body: withoutUse(replies[index]?.json ?? null) },
    ]),
  );
}

/** When a token was last used changes by reading. */
function withoutUse(body: Json): Json {
  return JSON.parse(JSON.stringify(body, (name, value) => (name === 'last_used_at' ? undefined : value)));
}

function callbackOf(accountId: string, id: string, number: string): Callback {
  const askedAtMs = Date.now();
  const asked = { askedBy: 'x', place: 1, priority: 0, askedAtMs, dueAtMs: askedAtMs, callId: 'next' };
  const state = { state: 'waiting', attempts: 0, result: null, endedAtMs: null } as const;
  const numbers = { number, numberKey: number.slice(1), callerKey: '', typed: false };
  return { accountId, id, department: 'sales', ...numbers, ...asked, ...state };
}
