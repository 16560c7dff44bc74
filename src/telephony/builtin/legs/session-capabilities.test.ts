import { describe, expect, it } from 'vitest';
import type { Direction, StreamSettings } from '../../../media/media.ts';
import type { NameAddr } from '../../../sip/message.ts';
import { recordingEvents } from '../testing/stand-ins.ts';
import { askTransfer, reportHold } from './session-capabilities.ts';

const settings = (direction: Direction): StreamSettings => ({
  remoteAddress: '203.0.113.9',
  remotePort: 4000,
  remoteRtcpPort: 4001,
  codec: 'pcmu',
  payloadType: 0,
  eventPayloadType: 101,
  ptimeMs: 20,
  direction,
});

describe('hold', () => {
  it.each([
    ['sendrecv', 'recvonly', ['held']],
    ['sendrecv', 'inactive', ['held']],
    ['recvonly', 'sendrecv', ['resumed']],
    ['recvonly', 'inactive', []],
    // The peer cannot speak for a while, but listens.
    ['sendrecv', 'sendonly', []],
  ] as const)('from our %s to our %s reports %j', (before, now, expected) => {
    const events: string[] = [];
    reportHold(recordingEvents(events), settings(before), settings(now));
    expect(events).toEqual(expected);
  });
});

describe('REFER', () => {
  const to = (uri: string): NameAddr => ({ display: '', uri, params: new Map() });
  const ask = (uri: string, replaces: string | null = null) => {
    const events: string[] = [];
    const answers: (true | number)[] = [];
    askTransfer(recordingEvents(events), to(uri), replaces, (result) => {
      answers.push(result);
      return null;
    });
    return { events, answers };
  };

  it('to a number is for the call to decide', () => {
    expect(ask('sip:1002@dialtree.example')).toEqual({ events: ['transfer 1002'], answers: [true] });
    expect(ask('tel:+441234')).toEqual({ events: ['transfer +441234'], answers: [true] });
    expect(ask('mailto:a@b.example')).toEqual({ events: [], answers: [603] });
  });

  it('that would take the place of another call is refused, so that the phone keeps both', () => {
    expect(ask('sip:1002@dialtree.example', 'c;to-tag=a;from-tag=b')).toEqual({ events: [], answers: [501] });
  });
});
