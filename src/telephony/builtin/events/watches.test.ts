import { describe, expect, it, vi } from 'vitest';
import { write } from '../../../sip/testing/test-bed.ts';
import type { WatchedState } from '../../ports/watching.ts';
import { openWatch } from './watches.ts';

function bodyOf(state: WatchedState, uri = 'sip:1001@192.0.2.1'): string {
  const watch = openWatch(
    { watch: () => ({ account: 'acme', state: () => state, close: () => undefined }) },
    'acme/2',
    write('SUBSCRIBE', { uri, headers: [`Event: ${state.event}`] }),
    () => true,
    () => undefined,
  );
  if ('status' in watch) throw new Error(`refused with ${watch.status}`);
  return `${watch.body(3)}`;
}

const RINGING = {
  id: 'c1',
  state: 'early',
  direction: 'recipient',
  remote: '+4930',
  remoteName: '<Ann> & "Co"',
  callId: 'abc',
} as const;

describe('what phones are sent', () => {
  it('of messages: whether some wait, and how many (RFC 3842)', () => {
    const event = 'message-summary';
    expect(bodyOf({ event, unheard: 2, heard: 5 })).toBe(
      'Messages-Waiting: yes\r\nVoice-Message: 2/5 (0/0)\r\n',
    );
    expect(bodyOf({ event, unheard: 0, heard: 5000 })).toBe(
      'Messages-Waiting: no\r\nVoice-Message: 0/999 (0/0)\r\n',
    );
  });

  it('of calls: the full state, with what a phone needs to pick one up (RFC 4235)', () => {
    const body = bodyOf({ event: 'dialog', dialogs: [RINGING] });
    expect(body).toContain('version="3" state="full" entity="sip:1001@192.0.2.1"');
    expect(body).toMatch(
      /<dialog id="c1" call-id="abc" local-tag="[^"]+" remote-tag="[^"]+" direction="recipient">/,
    );
    expect(body).toContain('<state>early</state>');
    expect(body).toContain(
      '<identity display="&lt;Ann&gt; &amp; &quot;Co&quot;">sip:%2B4930@192.0.2.1</identity>',
    );
  });

  it('of calls that cannot be picked up no Call-ID, and of no call one that has ended', () => {
    const { callId: _none, ...talking } = { ...RINGING, state: 'confirmed', remote: null } as const;
    const body = bodyOf({ event: 'dialog', dialogs: [talking] });
    expect(body).not.toContain('call-id');
    expect(body).toContain('sip:anonymous@192.0.2.1');
    expect(bodyOf({ event: 'dialog', dialogs: [] })).toContain('<state>terminated</state>');
  });

  it('fits into a datagram, whatever names callers have', () => {
    const long = { ...RINGING, remote: '9'.repeat(500), remoteName: '\u0000&'.repeat(500) };
    const body = bodyOf({ event: 'dialog', dialogs: Array.from({ length: 50 }, () => long) });
    expect(body.length).toBeLessThan(40_000);
    expect(body).not.toContain('\u0000');
  });

  it('of agents: whether they can be called (RFC 3863)', () => {
    const of = (availability: 'free' | 'busy' | 'away', note = '') =>
      bodyOf({ event: 'presence', availability, note });
    expect(of('free')).toContain('<basic>open</basic>');
    expect(of('free')).not.toContain('activities');
    expect(of('busy')).toContain('<rpid:on-the-phone/>');
    expect(of('away', 'Lunch <1 h')).toContain('<basic>closed</basic>');
    expect(of('away', 'Lunch <1 h')).toContain('<note>Lunch &lt;1 h</note>');
  });
});

describe('a subscription', () => {
  const open = (user: Parameters<typeof openWatch>[0], isRegistered = true) =>
    openWatch(
      user,
      'acme/2',
      write('SUBSCRIBE', { uri: 'sip:1001@192.0.2.1', headers: ['Event: dialog'] }),
      () => isRegistered,
      () => undefined,
    );

  it('of a phone that is not registered is refused before anything is looked up', () => {
    const watch = vi.fn();
    expect(open({ watch }, false)).toMatchObject({ status: 480 });
    expect(watch).not.toHaveBeenCalled();
  });

  it('asks the service with the number that is watched, and passes its refusal on', () => {
    const watch = vi.fn(() => ({ status: 404 }));
    expect(open({ watch })).toEqual({ status: 404 });
    expect(watch).toHaveBeenCalledWith('acme/2', 'dialog', '1001', expect.any(Function));
    expect(open({})).toEqual({ status: 489 });
  });
});
