import { describe, expect, it } from 'vitest';
import type { StoredDialog } from '../session.ts';
import { Listener, PEER_FLOW, settle, TestBed, write } from '../testing/test-bed.ts';
import { CSEQ_JUMP } from './stored-dialog.ts';

const EDGE_FLOW = {
  ...PEER_FLOW,
  remote: { address: '192.0.2.5', port: 5060 },
  peer: { address: '203.0.113.9', port: 4060 },
};
const ROUTE = '<sip:192.0.2.5;lr;r2=on>';
const headers = [`Record-Route: ${ROUTE}, <sip:192.0.2.5:5061;transport=tls;lr>`];

function storedOf(bed = new TestBed()): StoredDialog {
  const call = bed.invited({ body: 'offer', headers, seq: 7 }, EDGE_FLOW);
  const { session } = call;
  session.answer(Buffer.from('answer'));
  call.ack(7);
  session.reinvite(Buffer.from('hold'), () => undefined);
  bed.transactions.last.answer(200, { headers: [['contact', '<sip:moved@192.0.2.9>']] });
  const stored = session.stored();
  if (!stored) throw new Error('the dialog is not stored');
  // As it comes out of the database.
  return JSON.parse(JSON.stringify(stored)) as StoredDialog;
}

async function restored(stored = storedOf()) {
  const bed = new TestBed();
  const listener = new Listener();
  const session = await bed.agent.restore(stored, listener);
  if (!session) throw new Error('the dialog is not restored');
  const outcome: { sdp: string | null; status: number }[] = [];
  session.reinvite(Buffer.from('again'), (sdp, status) =>
    outcome.push({ sdp: sdp?.toString() ?? null, status }),
  );
  await settle();
  return { bed, listener, session, outcome, stored, sent: bed.transactions.last };
}
const request = (stored: StoredDialog, method: string, seq = 9) =>
  write(method, { toTag: /tag=(\S+)/.exec(stored.local)?.[1] ?? '', seq });

describe('a dialog of another node', () => {
  it('is stored with its refreshed target once it is established behind a proxy, and not otherwise', () => {
    expect(storedOf()).toMatchObject({
      callId: 'call-1',
      target: 'sip:moved@192.0.2.9',
      localSeq: 1,
      remoteSeq: 7,
      hop: EDGE_FLOW.remote,
      peer: EDGE_FLOW.peer,
    });
    const bed = new TestBed();
    expect(bed.invited({ body: 'offer', headers }).session.stored()).toBe(null);
    expect(new TestBed().established().session.stored()).toBe(null);
    const over = new TestBed().established({ body: 'offer', headers });
    over.session.hangUp();
    expect(over.session.stored()).toBe(null);
  });

  it('goes on by a re-INVITE: same identities and routes, a later CSeq, this node’s Contact', async () => {
    const { bed, sent, stored, outcome, session } = await restored();
    expect(bed.transports.asked).toEqual(['udp:192.0.2.5:5060']);
    expect(sent.request).toMatchObject({
      method: 'INVITE',
      uri: 'sip:moved@192.0.2.9',
      callId: 'call-1',
      cseq: { number: stored.localSeq + CSEQ_JUMP + 1, method: 'INVITE' },
    });
    expect([sent.header('from'), sent.header('to')]).toEqual([stored.local, stored.remote]);
    expect(sent.header('route')).toBe(ROUTE);
    expect(sent.header('contact')).toBe('<sip:192.0.2.1:5060>');
    sent.answer(200, { body: Buffer.from('theirs'), headers: [['content-type', 'application/sdp']] });
    expect(outcome).toEqual([{ sdp: 'theirs', status: 200 }]);
    expect(session.stored()?.localSeq).toBe(stored.localSeq + CSEQ_JUMP + 1);
  });

  it('hears the peer’s requests, and hangs up by BYE', async () => {
    const { bed, stored, listener } = await restored();
    expect(bed.receive(request(stored, 'OPTIONS', 6)).statuses).toEqual([500]);
    expect(bed.receive(request(stored, 'INFO')).statuses).toEqual([200]);
    expect(bed.receive(request(stored, 'BYE', 10)).statuses).toEqual([200]);
    expect(listener.log.at(-1)).toBe('ended by peer null null');
    expect(bed.agent.sessions).toBe(0);
    const other = await restored();
    other.sent.answer(200);
    other.session.hangUp();
    expect(other.bed.transactions.last.request).toMatchObject({ method: 'BYE', cseq: { number: 1003 } });
  });

  it('that the peer has ended is over with 481, and one that it refuses is not', async () => {
    const gone = await restored();
    gone.sent.answer(481);
    expect(gone.outcome).toEqual([{ sdp: null, status: 481 }]);
    expect(gone.listener.log).toEqual(['ended by timeout null null']);
    const refused = await restored();
    refused.sent.answer(488);
    expect([refused.outcome, refused.listener.log]).toEqual([[{ sdp: null, status: 488 }], []]);
  });

  it('is not restored where it is, nor from what cannot be read', async () => {
    const bed = new TestBed();
    const stored = storedOf(bed);
    expect(await bed.agent.restore(stored, new Listener())).toBe(null);
    expect(await new TestBed().agent.restore({ ...stored, local: 'nonsense <' }, new Listener())).toBe(null);
  });

  it('that another node has is dropped without a message', () => {
    const bed = new TestBed();
    const { session, listener } = bed.established({ body: 'offer', headers }, EDGE_FLOW);
    session.abandon();
    expect([bed.transactions.sent.length, listener.log.at(-1), bed.agent.sessions]).toEqual([
      0,
      'confirmed',
      0,
    ]);
  });
});
