import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { derivedKey, makeSealer } from './sealing.ts';

let dataDir = '';
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dialtree-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));
const inFolder = () => makeSealer({ dataDir, secretKey: undefined });

test('what was sealed is opened again, also by the next process, for its place alone', () => {
  const sealed = inFolder().seal('pässwörd', 'here');
  expect(sealed).not.toContain('ssw');
  expect(inFolder().open(sealed, 'here')).toBe('pässwörd');
  expect(inFolder().open(sealed, 'there')).toBeNull();
  expect(inFolder().seal('pässwörd', 'here')).not.toBe(sealed);
});

test('the key is made when it is needed, once, in a file of its owner alone', () => {
  const sealer = inFolder();
  expect(sealer.open('v1.AAAA', 'here')).toBeNull();
  expect(readdirSync(dataDir)).toEqual([]);
  sealer.seal('x', 'here');
  const key = readFileSync(join(dataDir, 'secret.key'), 'utf8');
  expect(key).toMatch(/^[0-9a-f]{64}\n$/);
  if (process.platform !== 'win32') expect(statSync(join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600);
  inFolder().seal('y', 'here');
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(key);
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('with another key, or changed by a byte, it is not opened', () => {
  const sealed = inFolder().seal('secret', 'here');
  const other = makeSealer({ dataDir, secretKey: new Uint8Array(32) });
  expect(other.open(sealed, 'here')).toBeNull();
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(inFolder().open(`v1.${changed.toString('base64url')}`, 'here')).toBeNull();
  }
  for (const nonsense of ['', 'v1.', 'v1.AAAA', 'v2.AAAA', sealed.slice(3), `${sealed.slice(0, 20)}`])
    expect(inFolder().open(nonsense, 'here')).toBeNull();
});

test('a given key needs no file', () => {
  const sealer = makeSealer({ dataDir, secretKey: new Uint8Array(32).fill(7) });
  expect(sealer.open(sealer.seal('', 'here'), 'here')).toBe('');
  expect(readdirSync(dataDir)).toEqual([]);
});

test('keys for other purposes are derived from it, the same on every node', () => {
  const secretKey = new Uint8Array(32).fill(7);
  const key = derivedKey({ dataDir, secretKey }, 'SIP nonces');
  expect(key?.length).toBe(32);
  expect(derivedKey({ dataDir: '/elsewhere', secretKey }, 'SIP nonces')).toEqual(key);
  expect(derivedKey({ dataDir, secretKey }, 'another')).not.toEqual(key);
  expect(derivedKey({ dataDir, secretKey: undefined }, 'SIP nonces')).toBeNull();
  inFolder().seal('x', 'here');
  expect(derivedKey({ dataDir, secretKey: undefined }, 'SIP nonces')?.length).toBe(32);
});

test('a key file that holds something else is told of, not replaced', () => {
  writeFileSync(join(dataDir, 'secret.key'), 'half a k');
  expect(() => inFolder().seal('x', 'here')).toThrow(/secret\.key does not hold a key/);
  expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe('half a k');
});
