// A real Dialtree process with telephony: its data folder is filled before it starts, with recordings that are tones, so that
// tests recognise by frequency what a caller hears.

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../../src/config/config.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/domain/account.ts';
import type { LimitChanges } from '../../src/domain/account-limits.ts';
import { sipDigests } from '../../src/domain/sip-password.ts';
import type { Agent } from '../../src/kinds/agent.ts';
import type { Department } from '../../src/kinds/department.ts';
import { DEFAULTS } from '../../src/kinds/fields.ts';
import type { Ivr } from '../../src/kinds/ivr.ts';
import type { SmsTemplate } from '../../src/kinds/sms-template.ts';
import type { Trunk } from '../../src/kinds/trunk.ts';
import { hashToken } from '../../src/kit/credentials.ts';
import { openStorage } from '../../src/service/open-storage.ts';
import type { NewRecord } from '../../src/storage/ports/records.ts';
import { toneWav } from './phone/tone-recording.ts';
import { type Service, type ServiceOptions, startService, TOKEN } from './service.ts';

export const ACCOUNT = 'default';
/** Every agent's, so that a test need not carry them around. */
export const PASSWORD = 'correct horse battery staple';

export interface PbxOptions extends Omit<ServiceOptions, 'dataDir'> {
  /** Where its data folder is made; without it, where other temporary files are. */
  readonly folder?: string;
  /** Frequencies and lengths by id. */
  readonly recordings?: Readonly<Record<string, { readonly hz: number; readonly ms: number }>>;
  /** By intercom number; the eid is the same number behind a 9. */
  readonly agents?: Readonly<Record<string, Partial<Agent>>>;
  readonly departments?: Readonly<Record<string, Partial<Department>>>;
  readonly menus?: Readonly<Record<string, Partial<Ivr>>>;
  /** Destinations by number. */
  readonly numbers?: Readonly<Record<string, string>>;
  readonly trunks?: Readonly<Record<string, Partial<Trunk>>>;
  readonly smsTemplates?: Readonly<Record<string, Partial<SmsTemplate>>>;
  readonly settings?: Partial<Settings>;
  readonly limits?: LimitChanges;
}

export interface Pbx extends Service {
  readonly sip: { readonly host: string; readonly port: number };
}

export const eidOf = (intercom: string): string => `9${intercom}`;
export const extension = (intercom: string): string => `extension||${eidOf(intercom)}`;

export async function startPbx(options: PbxOptions = {}): Promise<Pbx> {
  const dataDir = mkdtempSync(join(options.folder ?? tmpdir(), 'dialtree-pbx-'));
  try {
    await fill(dataDir, options);
    const env = { SIP: 'on', SIP_PORT: '0', ...options.env };
    const service = await startService({ ...options, env, dataDir });
    return {
      ...service,
      sip: sipAddress(service),
      remove: async () => {
        await service.stop('SIGKILL');
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

/** The same data folder in a new process, after the first one ended. `remove` of the first one removes the folder. */
export async function restartPbx(ended: Pbx, env: Readonly<Record<string, string>> = {}): Promise<Pbx> {
  const { dataDir } = ended;
  const service = await startService({ env: { SIP: 'on', SIP_PORT: '0', ...env }, dataDir });
  return { ...service, sip: sipAddress(service) };
}

/** Its UDP address, from the first line of its log. */
export function sipAddress({ log }: Pick<Service, 'log'>): { host: string; port: number } {
  for (const line of log) {
    const { sip } = JSON.parse(line) as { sip?: string[] };
    const udp = sip?.find((each) => each.startsWith('udp '))?.slice('udp '.length);
    if (!udp) continue;
    const colon = udp.lastIndexOf(':');
    return { host: udp.slice(0, colon), port: Number(udp.slice(colon + 1)) };
  }
  throw new Error(`The service does not listen for SIP: ${log.join('\n')}`);
}

/** The account with its records, in the database and the data folder, before a service starts on them. */
export async function fill(dataDir: string, options: PbxOptions): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: options.env?.['DATABASE_URL'] });
  if ('faults' in config) throw new Error(config.faults.join('\n'));
  const storage = await openStorage(config as Config);
  try {
    const account = {
      id: ACCOUNT,
      name: ACCOUNT,
      createdAtMs: Date.now(),
      settings: { ...DEFAULT_SETTINGS, ...options.settings },
    };
    const token = {
      id: 'token',
      accountId: ACCOUNT,
      name: 'test',
      hash: hashToken(TOKEN),
      createdAtMs: Date.now(),
      expiresAtMs: null,
      use: 'api' as const,
      parentId: null,
      scopes: ['admin' as const],
      lastUsedAtMs: null,
    };
    await storage.createAccount({ account, token, records: recordsOf(dataDir, options) });
    if (options.limits) await storage.changeLimits({ accountId: ACCOUNT, changes: options.limits });
  } finally {
    await storage.close();
  }
}

function recordsOf(dataDir: string, options: PbxOptions): NewRecord[] {
  const record = (
    kind: NewRecord['kind'],
    id: string,
    data: object,
    keys: Record<string, string> = {},
  ): NewRecord => ({
    accountId: ACCOUNT,
    kind,
    id,
    atMs: Date.now(),
    json: JSON.stringify(data),
    keys: Object.entries(keys).map(([name, value]) => ({ name, value })),
  });
  const { recordings = {}, agents = {}, departments = {}, menus = {}, numbers = {}, trunks = {} } = options;
  return [
    ...Object.entries(recordings).map(([id, { hz, ms }]) => {
      const wav = toneWav(hz, ms);
      const sha256 = createHash('sha256').update(wav).digest('hex');
      mkdirSync(join(dataDir, 'recordings'), { recursive: true });
      writeFileSync(join(dataDir, 'recordings', `${sha256}.wav`), wav);
      return record('recording', id, { name: id, duration_ms: ms, sha256 });
    }),
    ...Object.entries(agents).map(([intercom, more]) => {
      const agent = { ...agentOf(intercom), ...more };
      return record('agent', `agent-${intercom}`, agent, { eid: agent.eid, intercom });
    }),
    ...Object.entries(departments).map(([id, more]) =>
      record('department', id, { ...departmentOf(id), ...more }),
    ),
    ...Object.entries(menus).map(([id, more]) => record('ivr', id, { ...menuOf(id), ...more })),
    ...Object.entries(numbers).map(([number, destination], index) =>
      record('number', `number-${index}`, { number, destination }, { number }),
    ),
    ...Object.entries(trunks).map(([id, more]) =>
      record('trunk', id, { ...trunkOf(id), ...more }, { name: more.name ?? id }),
    ),
    ...Object.entries(options.smsTemplates ?? {}).map(([id, more]) =>
      record('sms_template', id, { name: id, text: id, kind: 'transactional', status: 'active', ...more }),
    ),
  ];
}

function agentOf(intercom: string): Agent {
  const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
  return {
    ...DEFAULTS.agent,
    name: `Agent ${intercom}`,
    eid: eidOf(intercom),
    intercom,
    sip: sipDigests(intercom, PASSWORD, hash),
  };
}

const departmentOf = (id: string): Department => ({ ...DEFAULTS.department, name: id });

const menuOf = (id: string): Ivr => ({
  ...DEFAULTS.ivr,
  name: id,
  description: '',
  recording: 'recording||prompt',
  timeout: 5,
  option: [],
  destination: [],
  incorrect_count: 1,
  invalid_recording: 'recording||invalid',
  invalid_destination: 'hangup||hangup',
  timeout_retry_recording: 'recording||retry',
  timeout_recording: 'recording||timeout',
  timeout_destination: 'hangup||hangup',
  timeout_tries: 1,
});

const trunkOf = (id: string): Trunk => ({
  ...DEFAULTS.trunk,
  name: id,
  host: '127.0.0.1',
  port: 5060,
  transport: 'udp',
  addresses: [],
  username: null,
  sealed_password: null,
  register: false,
  inbound_numbers: [],
  outbound_prefixes: [],
  agents_may_call: false,
  caller_id: null,
  max_calls: 100,
  enabled: true,
});
