import { describe, expect, it } from 'vitest';
import { write } from '../testing/test-bed.ts';
import { mergeKey, passedBranches, serverKey } from './keys.ts';

const withBranch = (branch: string, callId: string) => {
  const request = write('INVITE', { callId });
  return { ...request, via: { ...request.via, branch } };
};

describe('the key of a server transaction (RFC 3261 §17.2.3)', () => {
  it('is the branch, the sender and the method for elements of RFC 3261', () => {
    const key = serverKey(withBranch('z9hG4bK1', 'a'), 'INVITE');
    expect(serverKey(withBranch('z9hG4bK1', 'b'), 'INVITE')).toBe(key);
    expect(serverKey(withBranch('z9hG4bK2', 'a'), 'INVITE')).not.toBe(key);
    expect(serverKey(withBranch('z9hG4bK1', 'a'), 'BYE')).not.toBe(key);
    const elsewhere = withBranch('z9hG4bK1', 'a');
    expect(serverKey({ ...elsewhere, via: { ...elsewhere.via, port: 5070 } }, 'INVITE')).not.toBe(key);
  });

  it.each(['', '1', 'z9hG4bK'])('is the whole dialog for the branch %j of RFC 2543', (branch) => {
    const key = serverKey(withBranch(branch, 'a'), 'INVITE');
    expect(serverKey(withBranch(branch, 'a'), 'INVITE')).toBe(key);
    expect(serverKey(withBranch(branch, 'b'), 'INVITE')).not.toBe(key);
    const next = withBranch(branch, 'a');
    expect(serverKey({ ...next, cseq: { number: 2, method: 'INVITE' } }, 'INVITE')).not.toBe(key);
    expect(serverKey({ ...next, uri: 'sip:other@192.0.2.1' }, 'INVITE')).not.toBe(key);
  });
});

it('a request merges with another that came by a second way, not within a dialog or without a tag (RFC 3261 §8.2.2.2)', () => {
  const request = write('INVITE', { callId: 'a' });
  expect(mergeKey(write('INVITE', { callId: 'a' }))).toBe(mergeKey(request));
  expect(mergeKey(write('INVITE', { callId: 'b' }))).not.toBe(mergeKey(request));
  expect(mergeKey(write('INVITE', { callId: 'a', seq: 2 }))).not.toBe(mergeKey(request));
  expect(mergeKey(write('INVITE', { callId: 'a', toTag: 'x' }))).toBeNull();
  expect(mergeKey({ ...request, from: { ...request.from, params: new Map() } })).toBeNull();
});

it('branches that a request passed are those below its own Via', () => {
  const headers = [
    'Via: SIP/2.0/UDP a;branch=z9hG4bKaa ;rport',
    'Via: SIP/2.0/UDP b;branch=1',
    'Via: SIP/2.0/UDP c;branch=z9hG4bKcc',
  ];
  expect(passedBranches(write('INVITE', { headers }))).toEqual(['z9hG4bKaa', 'z9hG4bKcc']);
  expect(passedBranches(write('INVITE'))).toEqual([]);
});
