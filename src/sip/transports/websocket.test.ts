import { describe, expect, test } from 'vitest';
import type { SipMessage } from '../message.ts';
import { VirtualTimers } from '../testing/virtual-timers.ts';
import type { TransportFlow } from './transport.ts';
import { SipTransports } from './transports.ts';
import { WEBSOCKET_LIMITS, type WebSocketSide, type WebSocketUser } from './websocket.ts';

const ENDS = { local: { address: '0.0.0.0', port: 80 }, remote: { address: '127.0.0.1', port: 4242 } };
const options = (extra = ''): Buffer =>
  Buffer.from(
    `OPTIONS sip:a@b SIP/2.0\r\nVia: SIP/2.0/WS x.invalid;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>\r\nCall-ID: 1\r\nCSeq: 1 OPTIONS\r\n${extra}Content-Length: 0\r\n\r\n`,
  );

interface Guarded {
  accept?: () => boolean;
  acceptWeb?: () => boolean;
  acceptAgent?: () => boolean;
  isEdge?: (address: string) => boolean;
  isNeeded?: (flow: TransportFlow) => boolean;
}

function bed(guarded: Guarded = {}) {
  const sent: { id: number; text: string }[] = [];
  const closed: { id: number; code: number }[] = [];
  let room = true;
  let user: WebSocketUser | null = null;
  const side: WebSocketSide = {
    send: (id, bytes) => {
      if (room) sent.push({ id, text: bytes.toString() });
      return room;
    },
    close: (id, code) => void closed.push({ id, code }),
    deliverTo: (to) => {
      user = to;
    },
  };
  const timers = new VirtualTimers();
  const yes = (): boolean => true;
  const { accept = yes, acceptWeb = yes, acceptAgent = yes, isNeeded = yes, isEdge } = guarded;
  const transports = new SipTransports({
    listen: [],
    timers,
    failed: (error) => {
      throw error;
    },
    guard: { accept, acceptWeb, acceptAgent, isBanned: () => false },
    webSockets: side,
    ...(isEdge ? { isEdge } : {}),
  });
  const received: { message: SipMessage; flow: TransportFlow }[] = [];
  const opened: unknown[] = [];
  const flowsClosed: (TransportFlow & { readonly isOver: boolean })[] = [];
  transports.deliverTo({
    received: (message, flow) => void received.push({ message, flow }),
    flowOpened: (_, grant) => void opened.push(grant),
    flowNeeded: isNeeded,
    flowClosed: (flow, isOver) => void flowsClosed.push({ ...flow, isOver }),
  });
  const peer = (): WebSocketUser => {
    if (!user) throw new Error('nobody listens');
    return user;
  };
  const full = (): void => {
    room = false;
  };
  return { transports, timers, peer, sent, closed, received, opened, flowsClosed, full };
}

describe('SIP over WebSocket (RFC 7118)', () => {
  test('a connection brings its grant, and a message its flow', () => {
    const { peer, received, opened } = bed();
    peer().opened(7, ENDS, { user: 'web' });
    peer().received(7, options());
    expect(opened).toEqual([{ user: 'web' }]);
    expect(received[0]?.flow).toMatchObject({ protocol: 'ws', remote: { address: '127.0.0.1', port: 4242 } });
  });

  test('an answer goes back by the connection that the request came by', () => {
    const { peer, received, transports, sent } = bed();
    peer().opened(7, ENDS, {});
    peer().opened(8, ENDS, {});
    peer().received(8, options());
    const flow = received[0]?.flow as TransportFlow;
    expect(transports.send(flow, Buffer.from('answer'))).toBe(true);
    expect(sent).toEqual([{ id: 8, text: 'answer' }]);
  });

  test('CRLF CRLF is answered with CRLF (RFC 7118 §6), and CRLF with nothing', () => {
    const { peer, sent, received } = bed();
    peer().opened(7, ENDS, {});
    peer().received(7, Buffer.from('\r\n\r\n'));
    peer().received(7, Buffer.from('\r\n'));
    expect(sent).toEqual([{ id: 7, text: '\r\n' }]);
    expect(received).toEqual([]);
  });

  test('a malformed request is answered 400, and the connection stays', () => {
    const { peer, sent, closed } = bed();
    peer().opened(7, ENDS, {});
    peer().received(7, options('Max-Forwards: many\r\n'));
    expect(sent[0]?.text).toMatch(/^SIP\/2\.0 400 /);
    peer().received(7, Buffer.from([0, 255, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]));
    expect(sent).toHaveLength(1);
    expect(closed).toEqual([]);
  });

  test('what the guard drops closes the connection', () => {
    const scanner = 'User-Agent: friendly-scanner\r\n';
    for (const guarded of [{ acceptWeb: () => false }, { acceptAgent: () => false }]) {
      const { peer, closed, flowsClosed, received } = bed(guarded);
      peer().opened(7, ENDS, {});
      peer().received(7, options(scanner));
      expect(closed).toEqual([{ id: 7, code: 1008 }]);
      expect(flowsClosed.map(({ isOver }) => isOver)).toEqual([false]);
      expect(received).toEqual([]);
    }
  });

  test('a right digest frees its own connection of the address’s bans, and no other of that address', () => {
    let isBanned = false;
    const { peer, closed, received, transports } = bed({ acceptWeb: () => !isBanned });
    peer().opened(7, ENDS, {});
    peer().opened(8, ENDS, {});
    peer().received(7, options());
    transports.authenticated(received[0]?.flow as TransportFlow, 'agent');
    isBanned = true;
    peer().received(7, options());
    peer().received(8, options());
    expect(received).toHaveLength(2);
    expect(closed).toEqual([{ id: 8, code: 1008 }]);
  });

  test('requests are not counted for the address, which many browsers share', () => {
    const { peer, received } = bed({ accept: () => false });
    peer().opened(7, ENDS, {});
    peer().received(7, options());
    expect(received).toHaveLength(1);
  });

  test('a browser behind the machine of an edge is no edge: its Via is not believed', () => {
    const { peer, received } = bed({ isEdge: () => true });
    peer().opened(7, ENDS, {});
    const via = 'Via: SIP/2.0/UDP 9.9.9.9;branch=z9hG4bK2;received=9.9.9.9\r\n';
    peer().received(7, options(via));
    expect(received[0]?.flow.peer).toBeUndefined();
  });

  test('a connection without a right digest is closed after half a minute, one with it after hours of silence', () => {
    const { peer, closed, transports, timers, received } = bed();
    peer().opened(7, ENDS, {});
    peer().opened(8, ENDS, {});
    peer().received(8, options());
    transports.authenticated(received[0]?.flow as TransportFlow, 'agent');
    timers.advance(WEBSOCKET_LIMITS.unauthenticatedMs + 1);
    expect(closed).toEqual([{ id: 7, code: 1008 }]);
    timers.advance(WEBSOCKET_LIMITS.idleMs - 60_000);
    expect(closed).toHaveLength(1);
    timers.advance(60_001);
    expect(closed[1]).toEqual({ id: 8, code: 1008 });
  });

  test('one that its user does not need is closed within a minute', () => {
    let isNeeded = true;
    const { peer, closed, transports, timers, received } = bed({ isNeeded: () => isNeeded });
    peer().opened(7, ENDS, {});
    peer().received(7, options());
    transports.authenticated(received[0]?.flow as TransportFlow, null);
    timers.advance(10 * WEBSOCKET_LIMITS.lookMs);
    expect(closed).toEqual([]);
    isNeeded = false;
    timers.advance(WEBSOCKET_LIMITS.lookMs);
    expect(closed).toEqual([{ id: 7, code: 1008 }]);
  });

  test('a connection whose messages cannot be handed over is closed: nothing is repeated on it', () => {
    const { peer, received, transports, closed, full } = bed();
    peer().opened(7, ENDS, {});
    peer().received(7, options());
    full();
    expect(transports.send(received[0]?.flow as TransportFlow, Buffer.from('answer'))).toBe(false);
    expect(closed).toEqual([{ id: 7, code: 1013 }]);
  });

  test('a closed connection is forgotten once, and takes nothing any more', () => {
    const { peer, received, transports, flowsClosed } = bed();
    peer().opened(7, ENDS, {});
    peer().received(7, options());
    peer().closed(7, true);
    peer().closed(7, true);
    peer().received(7, options());
    expect(received).toHaveLength(1);
    expect(flowsClosed.map(({ isOver }) => isOver)).toEqual([true]);
    expect(transports.send(received[0]?.flow as TransportFlow, Buffer.from('late'))).toBe(false);
    expect(transports.counts.webSockets).toBe(0);
  });

  test('no way is opened to a browser', async () => {
    const { transports } = bed();
    await expect(transports.flowTo('ws', ENDS.remote)).rejects.toThrow('only browsers');
  });

  test('closing the transports closes every connection', async () => {
    const { peer, transports, closed } = bed();
    peer().opened(7, ENDS, {});
    await transports.close();
    expect(closed).toEqual([{ id: 7, code: 1001 }]);
  });
});
