// The SIP of the call button against a far side that the test writes message by message, over a real WebSocket.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket as NodeWebSocket, WebSocketServer } from 'ws';
import { SipCall, type SipCallUser } from './sip-call.ts';
import { cseqOf, header, parseSip, responseTo, type SipMessage, tagIn } from './sip-message.ts';

const SDP = 'v=0\r\n';
const CONTACT = ['Contact', '<sip:far@192.0.2.1>'] as const;
const CHALLENGE = ['WWW-Authenticate', 'Digest realm="dialtree", nonce="n", qop="auth"'] as const;

/** The service, as far as the test plays it. */
class Far {
  readonly #server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  readonly #received: SipMessage[] = [];
  readonly #waiting: (() => void)[] = [];
  #socket: NodeWebSocket | null = null;

  async open(): Promise<string> {
    this.#server.on('connection', (socket) => {
      this.#socket = socket;
      socket.on('message', (data) => {
        const message = parseSip(String(data));
        if (message) this.#received.push(message);
        this.#waiting.shift()?.();
      });
    });
    await once(this.#server, 'listening');
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}/sip`;
  }

  /** The next message; the test fails by its time limit where none comes. */
  async next(): Promise<SipMessage> {
    if (this.#received.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const message = this.#received.shift();
    if (!message) throw new Error('the page sent what is no SIP');
    return message;
  }

  /** With a tag of its own; `lines` beside those that a response repeats. */
  answer(
    request: SipMessage,
    status: string,
    lines: readonly (readonly [string, string])[] = [],
    body = '',
  ): void {
    this.#socket?.send(responseTo(request, status, lines, body).replace(/^(To: [^\r]*>)\r/m, '$1;tag=far\r'));
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  cut(): void {
    this.#socket?.terminate();
  }

  close(): void {
    this.#server.close();
    for (const each of this.#server.clients) each.terminate();
  }
}

let far: Far;
let url: string;

beforeEach(async () => {
  vi.stubGlobal('WebSocket', NodeWebSocket);
  far = new Far();
  url = await far.open();
});
afterEach(() => {
  far.close();
  vi.unstubAllGlobals();
});

function dial() {
  const events: string[] = [];
  const user: SipCallUser = {
    rang: () => void events.push('rang'),
    answered: (_sdp, isEarly) => void events.push(isEarly ? 'early' : 'answered'),
    offered: async () => SDP,
    refused: () => void events.push('refused'),
    reconnected: () => void events.push('reconnected'),
    ended: (status) => void events.push(`ended ${status}`),
  };
  const call = new SipCall({ url, host: 'pbx', dial: 'call', username: 'u', password: 'p' }, user);
  call.start(SDP);
  return { call, events };
}

/** A call that talks. */
async function talk() {
  const begun = dial();
  const invite = await far.next();
  far.answer(invite, '200 OK', [CONTACT], SDP);
  const ack = await far.next();
  expect(ack.method).toBe('ACK');
  return { ...begun, invite };
}

/** A request within the dialog, from the far side. */
const request = (method: string, invite: SipMessage, callId = header(invite, 'call-id')): string =>
  [
    `${method} sip:u@x.invalid SIP/2.0`,
    'Via: SIP/2.0/WS 192.0.2.1;branch=z9hG4bKfar',
    'From: <sip:call@pbx>;tag=far',
    `To: <sip:u@pbx>;tag=${tagIn(header(invite, 'from'))}`,
    `Call-ID: ${callId}`,
    `CSeq: 7 ${method}`,
    'Contact: <sip:far@192.0.2.2>',
    '',
    method === 'INVITE' ? SDP : '',
  ].join('\r\n');

it('answers a challenge once, with a higher CSeq; a second one ends the call', async () => {
  const { events } = dial();
  const first = await far.next();
  expect(header(first, 'authorization')).toBe('');
  far.answer(first, '401 Unauthorized', [CHALLENGE]);
  const ack = await far.next();
  expect([ack.method, header(ack, 'via'), tagIn(header(ack, 'to'))]).toEqual([
    'ACK',
    header(first, 'via'),
    'far',
  ]);
  const second = await far.next();
  expect(cseqOf(second).number).toBe(cseqOf(first).number + 1);
  expect(header(second, 'authorization')).toContain('username="u"');
  far.answer(second, '401 Unauthorized', [CHALLENGE]);
  expect((await far.next()).method).toBe('ACK');
  await expect.poll(() => events).toEqual(['ended 401']);
});

it('acknowledges each 2xx of its INVITE, and reports one answer (RFC 3261 §13.2.2.4)', async () => {
  const { events, invite, call } = await talk();
  far.answer(invite, '200 OK', [CONTACT], SDP);
  const again = await far.next();
  expect([again.method, cseqOf(again).number]).toEqual(['ACK', cseqOf(invite).number]);
  call.hangUp();
  expect((await far.next()).method).toBe('BYE');
  expect(events).toEqual(['answered', 'ended 200']);
});

it('cancels once a provisional response has come, and not before (RFC 3261 §9.1)', async () => {
  const { call, events } = dial();
  const invite = await far.next();
  call.hangUp();
  far.answer(invite, '100 Trying');
  const cancel = await far.next();
  expect([cancel.method, header(cancel, 'via'), cseqOf(cancel).number]).toEqual([
    'CANCEL',
    header(invite, 'via'),
    cseqOf(invite).number,
  ]);
  far.answer(invite, '487 Request Terminated');
  expect((await far.next()).method).toBe('ACK');
  await expect.poll(() => events).toEqual(['ended 200']);
});

it('acknowledges and hangs up where the answer crossed its CANCEL', async () => {
  const { call, events } = dial();
  const invite = await far.next();
  far.answer(invite, '180 Ringing');
  await expect.poll(() => events).toEqual(['rang']);
  call.hangUp();
  expect((await far.next()).method).toBe('CANCEL');
  far.answer(invite, '200 OK', [CONTACT], SDP);
  expect((await far.next()).method).toBe('ACK');
  expect((await far.next()).method).toBe('BYE');
  expect(events).toEqual(['rang', 'ended 200']);
});

it('answers a re-INVITE, refuses one while its own is under way, and ends by BYE', async () => {
  const { call, events, invite } = await talk();
  far.send(request('INVITE', invite));
  const agreed = await far.next();
  expect([agreed.status, agreed.body]).toEqual([200, SDP]);
  expect(call.reoffer(SDP)).toBe(true);
  expect(call.reoffer(SDP)).toBe(false);
  const own = await far.next();
  expect(own.method).toBe('INVITE');
  far.send(request('INVITE', invite));
  expect((await far.next()).status).toBe(491);
  far.answer(own, '488 Not Acceptable Here');
  expect((await far.next()).method).toBe('ACK');
  await expect.poll(() => events).toContain('refused');
  far.send(request('BYE', invite));
  expect((await far.next()).status).toBe(200);
  await expect.poll(() => events.at(-1)).toBe('ended 200');
});

it('refuses requests of dialogs that it does not have', async () => {
  const { call, events, invite } = await talk();
  far.send(request('BYE', invite, 'another'));
  expect((await far.next()).status).toBe(481);
  expect(events).toEqual(['answered']);
  call.hangUp();
});

it('opens another WebSocket when the one of its call breaks', async () => {
  const { events, call } = await talk();
  far.cut();
  await expect.poll(() => events).toEqual(['answered', 'reconnected']);
  expect(call.reoffer(SDP)).toBe(true);
  expect((await far.next()).method).toBe('INVITE');
  call.hangUp();
});
