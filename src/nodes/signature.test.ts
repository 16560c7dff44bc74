import { describe, expect, it } from 'vitest';
import { MAX_SKEW_MS, NodeSignatures, signNodeRequest } from './signature.ts';

const KEY = new Uint8Array(32).fill(7);
const B = { id: 'b', run: 'run-1' };
const NOW = 1_800_000_000_000;
const BODY = '{"op":"callsOf","account":"acme"}';

const signed = (changes: Partial<{ from: string; to: typeof B; body: string; nowMs: number }> = {}) =>
  signNodeRequest(KEY, { from: 'a', to: B, body: BODY, nowMs: NOW, ...changes });

describe('a request between nodes', () => {
  it('is accepted once, with the id of its sender and its own body alone', () => {
    const at = new NodeSignatures(KEY, B);
    const headers = signed();
    const checked = at.check({ host: 'b', ...headers }, NOW);
    expect(checked).toMatchObject({ from: 'a' });
    if (typeof checked === 'string') return;
    expect(checked.isBody(Buffer.from(BODY))).toBe(true);
    expect(checked.isBody(Buffer.from(BODY.replace('acme', 'evil')))).toBe(false);
    expect(at.check(headers, NOW)).toBe('replay');
  });

  it('is refused with another key, and when any signed part was changed', () => {
    const at = new NodeSignatures(KEY, B);
    expect(new NodeSignatures(new Uint8Array(32), B).check(signed(), NOW)).toBe('signature');
    const changes = {
      'dialtree-from': 'c',
      'dialtree-time': String(NOW + 1),
      'dialtree-nonce': 'A'.repeat(22),
      'dialtree-body': '0'.repeat(64),
      'dialtree-signature': '0'.repeat(64),
    };
    for (const [name, value] of Object.entries(changes))
      expect(at.check({ ...signed(), [name]: value }, NOW), name).toBe('signature');
  });

  it('is nothing at all when a header is missing, repeated or malformed', () => {
    const at = new NodeSignatures(KEY, B);
    for (const name of Object.keys(signed()))
      for (const value of [undefined, '', ['x', 'y'], 'ü', `${'9'.repeat(300)}`])
        expect(at.check({ ...signed(), [name]: value }, NOW), name).toBe('unsigned');
  });

  it('is refused at another node, and at the same node after a restart', () => {
    const headers = signed();
    expect(new NodeSignatures(KEY, { id: 'c', run: 'run-1' }).check(headers, NOW)).toBe('receiver');
    expect(new NodeSignatures(KEY, { id: 'b', run: 'run-2' }).check(headers, NOW)).toBe('receiver');
  });

  it('is valid for MAX_SKEW_MS by either clock, and a replay is known for as long', () => {
    const at = new NodeSignatures(KEY, B);
    expect(at.check(signed(), NOW + MAX_SKEW_MS + 1)).toBe('clock');
    expect(at.check(signed(), NOW - MAX_SKEW_MS - 1)).toBe('clock');
    const early = signed();
    expect(at.check(early, NOW - MAX_SKEW_MS)).toMatchObject({ from: 'a' });
    for (let ms = -MAX_SKEW_MS; ms <= MAX_SKEW_MS; ms += 10_000) {
      expect(at.check(signed({ nowMs: NOW + ms }), NOW + ms)).toMatchObject({ from: 'a' });
      expect(at.check(early, NOW + ms)).toBe('replay');
    }
  });

  it('is refused beyond so many nonces within a generation, so that memory is bounded', () => {
    const at = new NodeSignatures(KEY, B, 100);
    for (let count = 0; count < 100; count++) at.check(signed(), NOW);
    expect(at.check(signed(), NOW)).toBe('full');
    const later = NOW + 2 * MAX_SKEW_MS + 1;
    expect(at.check(signed({ nowMs: later }), later)).toMatchObject({ from: 'a' });
  });
});
