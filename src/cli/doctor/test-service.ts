// A whole Dialtree for one call, with storage of its own that is thrown away: the user's data is not touched.

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { sipDigests } from '../../domain/sip-password.ts';
import type { Agent } from '../../kinds/agent.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import type { Ivr } from '../../kinds/ivr.ts';
import { makeToken } from '../../kit/credentials.ts';
import { writeWav } from '../../media/audio/wav.ts';
import type { Service } from '../../service/running-service.ts';
import type { NewRecord } from '../../storage/ports/records.ts';
import { toneSound } from '../../telephony/softphone/softphone-sounds.ts';
import { withStorage } from '../command.ts';

export const TEST = { number: '100', agent: '1001', caller: '1002', promptHz: 1_270, key: '1' } as const;
const ACCOUNT = 'doctor';
const PROMPT_SECONDS = 20;
const FREE_RTP_PORTS = 64;

export interface TestService {
  readonly sip: { readonly host: string; readonly port: number };
  readonly password: string;
  readonly service: Service;
  close(): Promise<void>;
}

/** `isFree`: on ports that the system chooses, instead of those configured. Rejects with a StartError. */
export async function openTestService(config: Config, isFree: boolean): Promise<TestService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'dialtree-doctor-'));
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  const password = randomBytes(12).toString('hex');
  const from = 30_000 + 2 * Math.floor(Math.random() * 1_300);
  const ours: Config = {
    ...config,
    dataDir,
    databaseUrl: undefined,
    accessToken: undefined,
    secretKey: undefined,
    port: 0,
    host: '127.0.0.1',
    logLevel: 'silent',
    drainSeconds: 0,
    mediaWorkers: 1,
    // The advertised address leads away from this machine, or back to it by a route that only peers can test.
    advertisedAddress: undefined,
    ...(isFree ? { sipPort: 0, rtpPorts: { from, to: from + FREE_RTP_PORTS - 1 } } : {}),
    ...(isFree && config.sipTlsPort !== undefined ? { sipTlsPort: 0 } : {}),
  };
  try {
    await fill(ours, password);
    const { serve } = await import('../../main.ts');
    const service = await serve(ours, { write: () => undefined });
    return {
      sip: { host: config.sipHost, port: service.sipPort ?? 0 },
      password,
      service,
      close: async () => {
        await service.hangUp();
        await service.drain();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function fill(config: Config, password: string): Promise<void> {
  const nowMs = Date.now();
  const account = { id: ACCOUNT, name: ACCOUNT, createdAtMs: nowMs, settings: DEFAULT_SETTINGS };
  const { token } = makeToken(ACCOUNT, 'doctor', nowMs);
  await withStorage(
    config,
    (storage) =>
      storage.createAccount({ account, token, records: recordsOf(config.dataDir, password, nowMs) }),
    { create: true },
  );
}

function recordsOf(dataDir: string, password: string, atMs: number): NewRecord[] {
  const record = (
    kind: NewRecord['kind'],
    id: string,
    data: object,
    keys: Record<string, string> = {},
  ): NewRecord => ({
    accountId: ACCOUNT,
    kind,
    id,
    atMs,
    json: JSON.stringify(data),
    keys: Object.entries(keys).map(([name, value]) => ({ name, value })),
  });
  const wav = writeWav(toneSound(TEST.promptHz, PROMPT_SECONDS));
  const sha256 = createHash('sha256').update(wav).digest('hex');
  mkdirSync(join(dataDir, 'recordings'), { recursive: true });
  writeFileSync(join(dataDir, 'recordings', `${sha256}.wav`), wav);
  const agents = [TEST.agent, TEST.caller].map((intercom) => agentOf(intercom, password));
  const number = { number: TEST.number, destination: 'ivr||test' };
  return [
    record('recording', 'prompt', { name: 'prompt', duration_ms: PROMPT_SECONDS * 1_000, sha256 }),
    ...agents.map((agent) => record('agent', agent.eid, agent, { eid: agent.eid, intercom: agent.intercom })),
    record('ivr', 'test', menu()),
    record('number', TEST.number, number, { number: TEST.number }),
  ];
}

function agentOf(intercom: string, password: string): Agent {
  const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');
  return {
    ...DEFAULTS.agent,
    name: intercom,
    eid: intercom,
    intercom,
    sip: sipDigests(intercom, password, hash),
  };
}

const menu = (): Ivr => ({
  ...DEFAULTS.ivr,
  name: 'test',
  description: '',
  recording: 'recording||prompt',
  timeout: 10,
  option: [TEST.key],
  destination: [`extension||${TEST.agent}`],
  incorrect_count: 1,
  invalid_recording: 'recording||prompt',
  invalid_destination: 'hangup||hangup',
  timeout_retry_recording: 'recording||prompt',
  timeout_recording: 'recording||prompt',
  timeout_destination: 'hangup||hangup',
  timeout_tries: 1,
});
