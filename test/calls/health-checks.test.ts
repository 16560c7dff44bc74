// Health while the service runs: what doctor's checks find of the machine, for the operator alone.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HeldPort } from '../../src/media/webrtc/held-port.ts';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { call, type Json, runProcess, startService } from '../support/service.ts';

/** Below the ports that services have by default, and beyond those of cli-doctor.test.ts. */
const first = 15_000 + (process.pid % 20) * 200;
const folder = mkdtempSync(join(tmpdir(), 'dialtree-health-'));
let pbx: Pbx;
let other = '';
beforeAll(async () => {
  // A file where a folder should be: what is recorded cannot be stored below it.
  writeFileSync(join(folder, 'store'), '');
  pbx = await startPbx({
    numbers: { '100': 'hangup||hangup' },
    env: {
      RTP_PORTS: `${first}-${first + 39}`,
      MAX_CALLS: '100',
      SOUND_STORE: join(folder, 'store', 'sounds'),
    },
  });
  const made = await runProcess(['account', 'create', 'another'], { dataDir: pbx.dataDir });
  other = made.out.trim();
});
afterAll(async () => {
  await pbx?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const findings = async (token?: string, url = pbx.url): Promise<Map<string, Json>> => {
  const { status, json, text } = await call(url, 'GET', '/v1/health', token === undefined ? {} : { token });
  expect(status, text).toBe(200);
  return new Map(json.data.map((each: Json) => [each.code, each]));
};

it('shows the operator a sound store that cannot be written, and no port that answers', async () => {
  // What takes longer than an answer may is known to a later one.
  await expect.poll(async () => (await findings()).has('sound-store-unusable')).toBe(true);
  const found = await findings();
  // Fewer ports than MAX_CALLS are no trouble while they are free.
  expect(found.has('sound-ports-few')).toBe(false);
  expect(found.get('sound-store-unusable')).toMatchObject({
    severity: 'error',
    values: { place: join(folder, 'store', 'sounds') },
  });
  expect(found.has('sip-port-silent')).toBe(false);
  // No trunk leads out of this machine.
  expect(found.has('address-local')).toBe(false);
});

it('takes another port for browsers where a second service has the default one, and says so', async () => {
  const first = await HeldPort.take('127.0.0.1', 30_000).catch(() => null);
  const second = await startService({ env: { SIP: 'on', SIP_PORT: '0', WEBRTC_PORT: '' } });
  try {
    const look = async (): Promise<Json> =>
      (await findings(undefined, second.url)).get('browser-port-other') ?? null;
    await expect.poll(look).not.toBe(null);
    const found = await look();
    expect(found).toMatchObject({ severity: 'warning', values: { default: '30000' } });
    expect(found.values.port).not.toBe('30000');
    await expect.poll(() => second.log.join('\n')).toContain('another program has the default WEBRTC_PORT');
  } finally {
    first?.release();
    await second.remove();
  }
});

it('minds that only this machine can call as soon as a trunk leads to a provider outside', async () => {
  const trunk = { name: 'Provider', host: '203.0.113.9', addresses: ['203.0.113.9'] };
  const made = await call(pbx.url, 'POST', '/v1/trunk', { body: trunk });
  expect(made.status, made.text).toBe(201);
  expect((await findings()).get('address-local')).toMatchObject({
    severity: 'error',
    values: { address: '127.0.0.1' },
  });
  await call(pbx.url, 'DELETE', `/v1/trunk/${made.json.id}`);
});

it('tells another account nothing of the machine', async () => {
  const found = await findings(other);
  expect([...found.keys()]).toEqual(['number-missing']);
});
