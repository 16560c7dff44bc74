// Two user agents with the real transaction layer between them, on a network that loses, doubles and reorders, on virtual time.
import { describe, expect, it } from 'vitest';
import type { IncomingSession, OutgoingSession } from './session.ts';
import { Listener } from './testing/test-bed.ts';
import { FINE, VirtualNetwork, type VirtualNode, type Weather } from './testing/virtual-network.ts';
import { VirtualTimers } from './testing/virtual-timers.ts';
import { TransactionLayer } from './transactions/layer.ts';
import { testRequest } from './transactions/test-request.ts';
import { type Admission, ALLOWED, DROPPED, UserAgent } from './user-agent.ts';

/** A generator that gives the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

class Agent {
  readonly node: VirtualNode;
  readonly layer: TransactionLayer;
  readonly agent: UserAgent;
  readonly errors: unknown[] = [];

  admitted: Admission<null> = ALLOWED;

  constructor(network: VirtualNetwork, address: string, incoming: (session: IncomingSession) => void) {
    const { timers } = network;
    this.node = network.node(address);
    const transports = this.node;
    this.layer = new TransactionLayer({
      timers,
      transports,
      failed: (error) => void this.errors.push(error),
    });
    this.agent = new UserAgent({
      transactions: this.layer,
      transports,
      timers,
      resolve: async () => [],
      random: network.weather.random,
      callbacks: { admit: () => this.admitted, incoming, registering: () => null },
    });
    this.layer.deliverTo(this.agent);
    this.node.user = this.layer;
  }
}

class Callee extends Listener {
  readonly session: IncomingSession;

  constructor(session: IncomingSession) {
    super();
    this.session = session;
  }
}

function pair(seed: number, loss: number) {
  const random = randomFrom(seed);
  const storm: Weather = { loss, doubles: 0.05, minMs: 1, maxMs: 60, random };
  const network = new VirtualNetwork(new VirtualTimers(), loss === 0 ? { ...FINE, random } : storm);
  const callees: Callee[] = [];
  const bob = new Agent(network, '192.0.2.2', (session) => {
    const callee = new Callee(session);
    session.listen(callee);
    callees.push(callee);
    session.progress(180);
    network.timers.start(1000, () => session.answer(Buffer.from('answer')));
  });
  const alice = new Agent(network, '192.0.2.1', () => {});
  const call = (): { session: OutgoingSession; listener: Listener } => {
    const listener = new Listener();
    const session = alice.agent.call({
      target: { uri: 'sip:bob@192.0.2.2', flow: alice.node.flow(bob.node) },
      from: 'sip:alice@192.0.2.1',
      callerName: '',
      sdp: Buffer.from('offer'),
      events: listener,
    });
    return { session, listener };
  };
  return { network, alice, bob, call, callees };
}

/** Nothing of any call may be left when every timer of SIP has run out. */
function expectNothingLeft({ network, alice, bob }: ReturnType<typeof pair>): void {
  network.timers.advance(200_000);
  for (const { agent, layer, errors } of [alice, bob]) {
    expect(agent.sessions).toBe(0);
    expect(layer.count).toBe(0);
    expect(errors).toEqual([]);
  }
  expect(network.timers.count).toBe(0);
}

describe('two agents', () => {
  it('call, ring, answer, hold, and hang up, in few packets', () => {
    const bed = pair(1, 0);
    const { session, listener } = bed.call();
    bed.network.timers.advance(2000);
    expect(listener.log).toEqual(['progressed 180', 'answered answer']);
    const [callee] = bed.callees;
    expect(callee?.log).toEqual(['confirmed']);
    const answers: string[] = [];
    session.reinvite(Buffer.from('hold'), (sdp) => void answers.push(`${sdp}`));
    bed.network.timers.advance(100);
    callee?.answer?.(Buffer.from('held'));
    bed.network.timers.advance(100);
    expect(answers).toEqual(['held']);
    callee?.session.hangUp('Q.850;cause=16');
    bed.network.timers.advance(100);
    expect(listener.log.at(-1)).toBe('ended by peer null 16');
    // INVITE 180 200 ACK, INVITE 100 200 ACK, BYE 200; the transaction layer may spare the 100.
    expect(bed.network.sent.length).toBeLessThanOrEqual(10);
    expectNothingLeft(bed);
  });

  it('an offer from both sides at once: 491 for both, and both get through in the end', () => {
    const bed = pair(7, 0);
    const { session, listener } = bed.call();
    bed.network.timers.advance(2000);
    const [callee] = bed.callees;
    const answers: string[] = [];
    session.reinvite(Buffer.from('from alice'), (sdp) => void answers.push(`alice ${sdp}`));
    callee?.session.reinvite(Buffer.from('from bob'), (sdp) => void answers.push(`bob ${sdp}`));
    for (let turn = 0; turn < 100; turn++) {
      bed.network.timers.advance(100);
      listener.answer?.(Buffer.from('ok'));
      callee?.answer?.(Buffer.from('ok'));
    }
    expect(answers).toEqual(['bob ok', 'alice ok']);
    session.hangUp();
    expectNothingLeft(bed);
  });

  it('CANCEL and 200 cross: no side is left in a call', () => {
    // The 200 leaves at 1005 ms and arrives at 1010; the CANCEL leaves between them.
    for (const atMs of [1003, 1006, 1009, 1011]) {
      const bed = pair(3, 0);
      const { session, listener } = bed.call();
      bed.network.timers.advance(atMs);
      session.hangUp();
      expectNothingLeft(bed);
      expect(listener.ends.length).toBe(1);
      expect(bed.callees[0]?.ends.length).toBe(1);
    }
  });

  it.each([0.1, 0.3])('calls survive a loss of %f both ways, and nothing is left', (loss) => {
    const calls = Number(process.env['SIP_LOSS_CALLS'] ?? 100);
    const bed = pair(11, loss);
    let answered = 0;
    let confirmed = 0;
    for (let turn = 0; turn < calls; turn++) {
      const { session, listener } = bed.call();
      bed.network.timers.advance(45_000);
      if (listener.log.some((line) => line.startsWith('answered'))) answered++;
      if (bed.callees.at(-1)?.log[0] === 'confirmed') confirmed++;
      if (turn % 2 === 0) session.hangUp();
      else bed.callees.at(-1)?.session.hangUp();
    }
    expect(answered).toBeGreaterThanOrEqual(Math.floor(calls * (loss < 0.2 ? 0.995 : 0.98)));
    expect(confirmed).toBeGreaterThanOrEqual(Math.floor(calls * (loss < 0.2 ? 0.995 : 0.95)));
    bed.network.weather = FINE;
    expectNothingLeft(bed);
    for (const callee of bed.callees) expect(callee.ends.length).toBe(1);
  });

  it('a stranger gets one packet for each of its own, or none, and no transaction is kept for it', () => {
    for (const [admitted, replies] of [
      [{ kind: 'refuse', reply: { status: 403 } }, 1],
      [DROPPED, 0],
    ] as const) {
      const bed = pair(9, 0);
      bed.bob.admitted = admitted;
      bed.call();
      bed.network.timers.advance(6);
      expect(bed.bob.layer.count).toBe(0);
      expect(bed.bob.agent.sessions).toBe(0);
      bed.network.timers.advance(6);
      const fromBob = bed.network.sent.filter((text) => text.startsWith('SIP/2.0'));
      expect(fromBob.length).toBe(replies);
      expectNothingLeft(bed);
    }
  });

  it('an INVITE into a dialog that somebody invented gets one packet and leaves nothing', () => {
    const bed = pair(9, 0);
    // No ACK: the sender's address was invented, too.
    bed.alice.node.user = null;
    const flow = bed.alice.node.flow(bed.bob.node);
    const invented = testRequest('INVITE', { toTag: 'invented' });
    bed.alice.layer.request(invented, flow, { responded() {}, failed() {} });
    bed.network.timers.advance(6);
    expect(bed.bob.layer.count).toBe(0);
    bed.alice.layer.close();
    bed.network.timers.advance(40_000);
    expect(bed.network.sent.filter((text) => text.startsWith('SIP/2.0 481')).length).toBe(1);
  });

  it('the peer vanishes: the BYE times out and nothing is left', () => {
    const bed = pair(5, 0);
    const { session } = bed.call();
    bed.network.timers.advance(2000);
    bed.network.weather = { ...FINE, loss: 1 };
    session.hangUp();
    bed.network.timers.advance(40_000);
    expect(bed.alice.agent.sessions).toBe(0);
    // The other side learns it when the session is not refreshed.
    bed.network.timers.advance(1_900_000);
    expect(bed.callees[0]?.ends).toHaveLength(1);
    expectNothingLeft(bed);
  });
});
