// An account with a record of every kind beyond the demonstration's, and what a database has of it.

import { readData } from '../../src/domain/row.ts';
import { isSealedKind, sealedPlace, secretMember } from '../../src/domain/sealed.ts';
import { RECORD_KINDS, type RecordKind } from '../../src/kinds/lists.ts';
import { RECORDS } from '../../src/kinds/records.ts';
import { makeSealer } from '../../src/kit/sealing.ts';
import { openPostgres } from '../../src/storage/postgres/postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts';
import { menu } from './payload.ts';
import { call, type Json } from './service.ts';

export const TRUNK_PASSWORD = 'trunk-password-5ec3e7';
const ADDRESS_PASSWORD = 'address-password-5ec3e7';

/** On top of the demonstration. */
export async function fillEveryKind(url: string): Promise<void> {
  const made = async (path: string, body: object): Promise<string> => {
    const { status, json, text } = await call(url, 'POST', path, { body });
    if (status !== 201) throw new Error(`POST ${path}: ${text}`);
    return String(json.id);
  };
  const trunk = await made('/v1/trunk', {
    name: 'Provider',
    host: 'sip.example.com',
    addresses: ['203.0.113.7'],
    username: 'me',
    password: TRUNK_PASSWORD,
    outbound_prefixes: [{ prefix: '+49', strip: 1, add: '00' }],
    caller_id: '+4930123456',
  });
  const template = await made('/v1/sms_template', { name: 'Where we are', text: 'Call {dialled}' });
  const hook = await made('/v1/webhook', {
    name: 'Hook',
    url: 'https://example.com/h',
    events: ['call.ended'],
  });
  await made('/v1/blocked_number', { number: '+4930*', reason: 'spam' });
  await made('/v1/blocked_number', { anonymous: true });
  const hours = await made('/v1/timegroup', {
    name: 'Hours',
    timezone: 'Europe/Berlin',
    weekly: [{ days: ['mon'], from: '09:00', to: '17:00' }],
    open_destination: 'department||sales',
    closed_destination: 'hangup||now',
  });
  const announcement = await made('/v1/announcement', {
    name: 'Closed',
    recording: 'recording||welcome',
    destination: 'number||+4930999',
  });
  const box = await made('/v1/voicemail_box', {
    name: 'Box',
    greeting: 'recording||welcome',
    email: 'a@example.com',
  });
  const room = await made('/v1/room', {
    name: 'Weekly',
    pin: '4711',
    host_pin: '081500',
    pin_recording: 'recording||welcome',
    music_on_hold: 'recording||welcome',
    wait_for_host: true,
    failover_destination: `voicemail||${box}`,
  });
  const elsewhere = await made('/v1/sip_address', {
    ...RECORDS.sip_address.example,
    name: 'Other office',
    username: 'desk',
    password: ADDRESS_PASSWORD,
    failover_destination: null,
  });
  const secret = `whsec_${'A'.repeat(32)}`;
  const texts = await made('/v1/message', {
    ...RECORDS.message.example,
    name: 'Texts',
    sms_template: template,
  });
  const ways = await made('/v1/switch', {
    name: 'Ways',
    set: [{ variable: 'seen', value: 'yes' }],
    rules: [{ variable: 'state', operator: 'missing', destination: `message||${texts}` }],
    otherwise_destination: `sip_address||${elsewhere}`,
  });
  const asks = await made('/v1/request', {
    ...RECORDS.request.example,
    secret,
    choices: [],
    next_destination: `switch||${ways}`,
    failed_destination: 'department||sales',
  });
  const digits = await made('/v1/collect', {
    ...RECORDS.collect.example,
    next_destination: `request||${asks}`,
    failed_destination: 'department||sales',
  });
  const bot = await made('/v1/stream', {
    ...RECORDS.stream.example,
    secret,
    destinations: [`collect||${digits}`],
    failed_destination: 'department||sales',
  });
  const team = await made('/v1/team', { name: 'Front' });
  const department = await made('/v1/department', { name: 'Night', agents: ['100001'], queue: true });
  await made('/v1/caller_id_rule', {
    name: 'Night',
    priority: 5,
    trunk: `trunk||${trunk}`,
    agent: 'extension||100001',
    department: `department||${department}`,
    show: 'withhold',
  });
  await made('/v1/contact', RECORDS.contact.example);
  const { json: agent } = await call(url, 'GET', '/v1/agent/100002');
  await call(url, 'PUT', '/v1/agent/100002', {
    body: {
      name: agent.name,
      eid: '100002',
      intercom: agent.intercom,
      team_id: Number(team),
      timegroup_id: hours,
      sip_sha256: true,
    },
  });
  const { status, text } = await call(url, 'POST', '/v1/ivr', {
    body: menu({
      name: 'Everything',
      timeout_retry_recording: 'recording||still-there',
      timeout_recording: 'recording||connecting',
      option: ['1', '2', '3', '4', '5'],
      destination: [
        `timegroup||${hours}`,
        `announcement||${announcement}`,
        `voicemail||${box}`,
        `room||${room}`,
        `stream||${bot}`,
      ],
      sms_template: [template],
      webhook: [null, `webhook||${hook}`],
    }),
  });
  if (status !== 201) throw new Error(text);
  const settings = { country: 'DE', area_code: '30', sms_templates: true, ring_seconds: 31 };
  await call(url, 'PUT', '/v1/settings', { body: settings });
}

/** Every record of an account and its settings, secrets opened; `keyDigit` is the one that SECRET_KEY consists of. */
export async function storedRecords(
  env: Record<string, string>,
  keyDigit: string | undefined,
  account?: string,
): Promise<object[]> {
  const { DATA_DIR: dataDir = '', DATABASE_URL: url } = env;
  const storage = url === undefined ? await openSqlite(dataDir) : await openPostgres({ url });
  const secretKey = keyDigit === undefined ? undefined : Buffer.from(keyDigit.repeat(64), 'hex');
  const sealer = makeSealer({ dataDir, secretKey });
  try {
    const accounts = await storage.listAccounts();
    const { id: accountId = '', settings } =
      accounts.find(({ name }) => account === undefined || name === account) ?? {};
    const opened = (kind: RecordKind, id: string, data: Json): Json => {
      if (!isSealedKind(kind)) return data;
      const member = secretMember(kind);
      const { [`sealed_${member}`]: sealed, ...rest } = data;
      if (!sealed) return rest;
      return { ...rest, [member]: sealer.open(sealed, sealedPlace(kind, accountId, id)) };
    };
    const all: object[] = [];
    for (const kind of RECORD_KINDS)
      for (const { id, json } of await storage.listRecords({ accountId, kind, afterId: '', limit: 1000 }))
        all.push({ kind, id, data: opened(kind, id, readData(kind, json)) });
    return all.length > 0 ? [...all, { settings }] : [];
  } finally {
    await storage.close();
  }
}
