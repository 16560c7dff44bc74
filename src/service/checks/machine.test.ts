import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { checkCertificate } from '../../cli/doctor/certificate.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { testCertificate } from '../../sip/testing/test-certificate.ts';
import { ClockWatch, checkClock, checkNode, checkOpenFiles, openFileLimit } from './machine.ts';

const DAY_MS = 24 * 3600 * 1000;
const folder = mkdtempSync(join(tmpdir(), 'dialtree-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('Node before 20.19 is too old', () => {
  expect(['20.18.3', '18.20.0', '20.19.0', '26.1.0'].map((version) => checkNode(version).state)).toEqual([
    'fail',
    'fail',
    'ok',
    'ok',
  ]);
});

it('a clock that was never set is a fault', () => {
  expect(checkClock(0)).toMatchObject({ state: 'fail', message: expect.stringContaining('1970-01-01') });
  expect(checkClock(0).code).toBe('clock-wrong');
  expect(checkClock().state).toBe('ok');
});

it('a clock that was set while the service runs is noticed, and forgotten after an hour', () => {
  const watch = new ClockWatch();
  const startMs = Date.parse('2026-11-17T10:00:00Z');
  expect(watch.look(startMs, 0)).toBeNull();
  // NTP moves it by less.
  expect(watch.look(startMs + 61_500, 60_000)).toBeNull();
  const jump = watch.look(startMs + 121_500 - 3_600_000, 120_000);
  expect(jump).toMatchObject({ byMs: -3_600_000, atMs: startMs + 121_500 - 3_600_000 });
  expect(checkClock(Date.now(), jump)).toMatchObject({
    state: 'warn',
    code: 'clock-jumped',
    values: { seconds: '-3600', date: '2026-11-17T09:02:01.500Z' },
  });
  expect(watch.look(startMs + 181_500 - 3_600_000, 180_000)).toMatchObject({ byMs: -3_600_000 });
  expect(watch.look(startMs + 121_501, 120_001 + 3_600_000)).toBeNull();
});

it('the limit of this process is known', () => {
  expect(openFileLimit()).toBeGreaterThan(100);
});

it('the limit on open files is held against the calls that there may be', () => {
  const config = readConfig({ MAX_CALLS: '1000' }) as Config;
  expect(checkOpenFiles(config, 1024)).toMatchObject({
    state: 'warn',
    message: expect.stringContaining('ulimit -n 4500'),
    code: 'open-files-few',
    values: { limit: '1024', needed: '4500', calls: '1000' },
  });
  expect(checkOpenFiles(config, 4500).state).toBe('ok');
  expect(checkOpenFiles(config, null).state).toBe('ok');
});

it('a certificate that ran out, or is not valid yet, or is none at all', () => {
  const { certificate, key } = testCertificate('localhost');
  const [cert, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  writeFileSync(cert, certificate);
  writeFileSync(keyFile, key);
  const environment = { SIP_TLS_PORT: '5061', SIP_TLS_CERT: cert, SIP_TLS_KEY: keyFile };
  const at = (ms: number): string | undefined =>
    checkCertificate(readConfig(environment) as Config, ms)?.message;
  expect(at(Date.now() + 2 * DAY_MS)).toContain('It ran out');
  expect(at(Date.now() - 2 * DAY_MS)).toContain('valid only from');
  writeFileSync(cert, 'no certificate');
  expect(at(Date.now())).toContain('SIP_TLS_CERT');
  expect(checkCertificate(readConfig({}) as Config)).toBeNull();
});
