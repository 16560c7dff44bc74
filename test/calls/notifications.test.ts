// Notifications and health of a running service: a trunk that a provider refuses, a disk, a certificate, mail that nothing sends.
import { readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RULE_DEFAULTS } from '../../src/domain/notification.ts';
import { testCertificate } from '../../src/sip/testing/test-certificate.ts';
import { type RefusingProvider, refusingProvider } from '../support/refusing-provider.ts';
import type { Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { recordings } = tones(300, 'welcome');
/** On a disk that has other files: temporary files of tests may be in memory, which is as good as empty. */
const DISK = '/var/tmp';
/** A trunk is down after 10 s, and what is over was gone for 15. */
const WITHIN_MS = 60_000;

let folder: string;
let provider: RefusingProvider;
let bed: PhoneBed;
let trunk: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  const { certificate, key } = testCertificate('pbx.example');
  writeFileSync(join(folder, 'cert.pem'), certificate);
  writeFileSync(join(folder, 'key.pem'), key);
  provider = await refusingProvider();
  const { bavail, bsize } = statfsSync(DISK);
  bed = await PhoneBed.open({
    folder: DISK,
    recordings,
    menus: { main: { name: 'Main', recording: 'recording||welcome' } },
    numbers: { '200': 'ivr||main' },
    env: {
      SIP_TLS_PORT: '0',
      SIP_TLS_CERT: join(folder, 'cert.pem'),
      SIP_TLS_KEY: join(folder, 'key.pem'),
      RESERVE_MB: String(Math.floor((bavail * bsize) / 1024 / 1024 / 2)),
    },
  });
  const sounds = join(bed.pbx.dataDir, 'recordings');
  for (const name of readdirSync(sounds)) writeFileSync(join(sounds, name), '');
  const made = await bed.api('POST', '/v1/trunk', {
    name: 'Provider',
    host: '127.0.0.1',
    port: provider.port,
    username: 'us',
    password: 'secret-of-the-trunk',
    register: true,
  });
  expect(made.status, made.text).toBe(201);
  trunk = made.json.id;
});

afterAll(async () => {
  await bed?.close();
  provider?.close();
  await rm(folder, { recursive: true, force: true });
});

async function setRule(change: object): Promise<void> {
  const rule = { ...RULE_DEFAULTS, name: 'Operations', ...change };
  const set = await bed.api('PATCH', '/v1/settings', { notification_rules: [rule] });
  expect(set.status, set.text).toBe(200);
}

const notified = (type: string, isOpen: boolean): Promise<Json> =>
  bed.until(
    `${type}, open: ${isOpen}`,
    async () => {
      const { json } = await bed.api('GET', '/v1/notifications');
      return (
        json.data.find((each: Json) => each.type === type && (each.closed_at === null) === isOpen) ?? null
      );
    },
    WITHIN_MS,
  );

it('health names a trunk that is refused, a lost sound, the certificate, the disk and mail that nothing sends', async () => {
  await setRule({ emails: ['ops@example.com'] });
  const codes = await bed.until('all findings', async () => {
    const { status, json } = await bed.api('GET', '/v1/health');
    expect(status).toBe(200);
    const found = new Map(json.data.map((each: Json) => [each.code, each]));
    return found.has('trunk-unregistered') ? (found as Map<string, Json>) : null;
  });
  expect(codes.get('trunk-unregistered')).toMatchObject({
    severity: 'error',
    concerns: [`trunk||${trunk}`],
    values: { name: 'Provider', problem: expect.stringContaining('403') },
  });
  expect(codes.get('certificate-expiring')).toMatchObject({ severity: 'warning' });
  expect(codes.get('disk-nearly-full')).toMatchObject({ severity: 'warning' });
  expect(codes.get('recording-lost')).toMatchObject({
    severity: 'error',
    concerns: ['recording||welcome'],
    values: { name: 'welcome' },
  });
  expect(codes.get('email-unavailable')).toMatchObject({ concerns: ['settings'] });
  await setRule({ emails: [] });
  await bed.api('PATCH', '/v1/settings', { report_daily_to: ['boss@example.com'] });
  const { json } = await bed.api('GET', '/v1/health');
  expect(json.data.map(({ code }: Json) => code)).toContain('email-unavailable');
  await bed.api('PATCH', '/v1/settings', { report_daily_to: [] });
});

it.concurrent('of a trunk that is refused are open while it is, and close when it is switched off', async () => {
  const opened = await notified('trunk_down', true);
  expect(opened).toMatchObject({ subject: `trunk||${trunk}`, name: 'Provider' });
  expect(opened['facts'].problem).toContain('403');
  await bed.api('PATCH', `/v1/trunk/${trunk}`, { enabled: false });
  expect((await notified('trunk_down', false))['id']).toBe(opened['id']);
}, 150_000);

it.concurrent('of a disk that is nearly full open below the percentage of the rule, and close above it', async () => {
  await setRule({ disk_percent: 90 });
  const opened = await notified('disk_nearly_full', true);
  expect(opened['facts'].free_percent).toBeLessThan(90);
  await setRule({ disk_percent: 1 });
  expect((await notified('disk_nearly_full', false))['id']).toBe(opened['id']);
}, 150_000);
