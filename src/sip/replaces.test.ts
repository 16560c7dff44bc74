import { describe, expect, it } from 'vitest';
import { isTag, parseReplaces, parseTargetDialog } from './replaces.ts';

describe('Replaces', () => {
  it('names a dialog by Call-ID and both tags (RFC 3891 §3)', () => {
    const named = { callId: '98732@sip.example.com', fromTag: 'r33th4x0r', toTag: 'ff87ff' };
    const text = '98732@sip.example.com ;from-tag=r33th4x0r ;to-tag=ff87ff';
    expect(parseReplaces(text)).toEqual({ ...named, earlyOnly: false });
    expect(parseReplaces(`${text};early-only`)).toEqual({ ...named, earlyOnly: true });
    expect(parseReplaces(`${text};FROM-TAG=other;x=y`)).toEqual({ ...named, earlyOnly: false });
  });

  it.each([
    '',
    ';',
    'call',
    'call;to-tag=a',
    'call;from-tag=a',
    'call;to-tag=;from-tag=',
    ';to-tag=a;from-tag=b',
  ])('of another form names none: %j', (text) => expect(parseReplaces(text)).toBeNull());

  it('and Target-Dialog names it the other way round (RFC 4538 §7)', () => {
    const named = parseTargetDialog('fa77as7dad8-sd98ajzz@host.example.com;local-tag=kkaz-;remote-tag=6544');
    expect(named).toMatchObject({
      callId: 'fa77as7dad8-sd98ajzz@host.example.com',
      fromTag: 'kkaz-',
      toTag: '6544',
    });
  });

  it('takes 0 for the tag of a peer without one (RFC 3891 §3)', () => {
    expect([isTag('', '0'), isTag('0', '0'), isTag('a', '0'), isTag('a', 'a'), isTag('', '')]).toEqual([
      true,
      true,
      false,
      true,
      true,
    ]);
  });
});
