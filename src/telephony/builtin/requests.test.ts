// The order in which an INVITE is admitted, before anything is kept of it: what costs most is looked up last.
import { describe, expect, it, vi } from 'vitest';
import type { SipRequest } from '../../sip/message.ts';
import { parseMessage } from '../../sip/parse.ts';
import { TEST_FLOW } from '../../sip/testing/test-context.ts';
import type { Peer } from '../telephony.ts';
import type { BuiltinEnvironment } from './environment.ts';
import { Requests } from './requests.ts';

function invite(): SipRequest {
  const lines = [
    'INVITE sip:100@10.0.0.1 SIP/2.0',
    'Via: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bK1',
    'From: <sip:1@a>;tag=1',
  ];
  const message = parseMessage(
    Buffer.from([...lines, 'To: <sip:100@a>', 'Call-ID: 1', 'CSeq: 1 INVITE', '', ''].join('\r\n')),
  );
  if (!('method' in message)) throw new Error('This is no request.');
  return message;
}

function bed(peer: Peer, { room = true, quota = false, leg = null as object | null } = {}) {
  const ofInvite = vi.fn(() => leg);
  const caller = { peer, user: 'u' };
  const env = {
    authorizer: { authorize: () => ({ kind: 'allow', caller }) },
    transports: { authenticated: () => undefined },
    named: { ofInvite },
    admission: { admits: () => room },
    legs: { calls: 0, counts: { full: () => (quota ? { status: 486 } : undefined) } },
    config: { user: { mayCall: () => [] } },
  };
  // The fakes have what admit() reads.
  const requests = new Requests(env as unknown as BuiltinEnvironment);
  return { ofInvite, admit: () => requests.admit(invite(), TEST_FLOW) };
}

const TRUNK: Peer = { kind: 'trunk', id: 'acme/t' };
const PHONE: Peer = { kind: 'phone', id: 'acme/7' };

describe('an INVITE', () => {
  it('of a trunk is not looked up among the legs while there is no room, or its quota is full', () => {
    const full = bed(TRUNK, { room: false });
    expect(full.admit()).toMatchObject({ kind: 'refuse', reply: { status: 503 } });
    const busy = bed(TRUNK, { quota: true });
    expect(busy.admit()).toMatchObject({ kind: 'refuse', reply: { status: 486 } });
    expect([full.ofInvite.mock.calls, busy.ofInvite.mock.calls]).toEqual([[], []]);
  });

  it('is looked up once where it is let in', () => {
    const { ofInvite, admit } = bed(TRUNK);
    expect(admit()).toMatchObject({ kind: 'allow', caller: { peer: TRUNK, invite: { replaces: null } } });
    expect(ofInvite).toHaveBeenCalledTimes(1);
  });

  it('of a phone that resumes its call is let in without room, another of a phone is not', () => {
    const leg = {};
    const resumes = bed(PHONE, { room: false, quota: true, leg });
    expect(resumes.admit()).toMatchObject({ kind: 'allow', caller: { invite: { replaces: leg } } });
    expect(resumes.ofInvite).toHaveBeenCalledTimes(1);
    expect(bed(PHONE, { room: false }).admit()).toMatchObject({ kind: 'refuse', reply: { status: 503 } });
  });
});
