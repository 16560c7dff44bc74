// What every adapter of the WebRTC port does.
import { createSocket, type Socket } from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newOwnIce } from '../sdp/ice.ts';
import { freePort } from './local-addresses.ts';
import { BrowserStandIn, FORMATS, rtcp, rtp } from './testing/browser-stand-in.ts';
import { openHalfOpenRelay } from './testing/half-open-relay.ts';
import { StreamStandIn } from './testing/stream-stand-in.ts';
import { BINDING_ANSWER, stunRequest } from './testing/stun-request.ts';
import type { IceAgreement, OwnIce, PeerIce, Webrtc, WebrtcConfig, WebrtcTransport } from './webrtc.ts';

/** Until something arrives, on a full machine. */
export const WITHIN = { timeout: 20_000, interval: 20 };
const CONNECT_MS = 9_000;
/** As long as a phone rings for a patient caller. */
const LONG_RING_MS = 120_000;
const BROKEN_PACKETS = 10_000;
const STRANGERS = 20;
const HALF_OPEN = 20;
const FORGED_ADDRESSES = 60;
/** The addresses that one connection answers: as many remote candidates as the library keeps. */
const MOST_ANSWERED = 20;

export interface OpenedLeg {
  readonly browser: BrowserStandIn;
  readonly stream: StreamStandIn;
  readonly transport: WebrtcTransport;
  readonly own: OwnIce;
  readonly ice: IceAgreement;
  readonly lost: string[];
  bridge: { address: string; port: number } | null;
}

export function webrtcContract(name: string, open: (config: WebrtcConfig) => Webrtc): void {
  describe(`${name}: WebRTC`, () => {
    let webrtc: Webrtc;
    const legs: OpenedLeg[] = [];

    beforeEach(async () => {
      // Time passes as a test says; what it polls for, and the library, have their own.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const port = await freePort('127.0.0.1');
      webrtc = open({ host: '127.0.0.1', port, connectMs: CONNECT_MS });
    });

    afterEach(async () => {
      vi.useRealTimers();
      for (const { browser, stream, transport } of legs.splice(0)) {
        transport.close();
        browser.close();
        stream.close();
      }
      await webrtc.close();
    });

    /** The time that a browser has is over, and not a moment before. */
    function expectLost(leg: OpenedLeg): void {
      vi.advanceTimersByTime(CONNECT_MS - 1);
      expect(leg.lost).toEqual([]);
      vi.advanceTimersByTime(1);
      expect(leg.lost).toEqual(['The browser did not connect.']);
      vi.advanceTimersByTime(10 * CONNECT_MS);
      expect(leg.lost).toHaveLength(1);
    }

    const begin = (): Promise<OpenedLeg> => beginLeg(webrtc, legs);

    /** Another connection carries the same stream. */
    async function takesOver(leg: OpenedLeg): Promise<void> {
      const next = new BrowserStandIn();
      const own = newOwnIce(webrtc.identity, leg.own);
      leg.bridge = null;
      leg.transport.connect({ own, peer: next.ice, formats: FORMATS });
      next.answered(webrtc.identity, own);
      await expect.poll(() => leg.bridge, WITHIN).not.toBeNull();
      await expect.poll(() => next.state, WITHIN).toBe('open');
      next.send(rtp(0, 1, 9, 'again'));
      await expect.poll(() => leg.stream.rtp.map(payload), WITHIN).toEqual(['again']);
      leg.stream.send(rtp(0, 1, 8, 'prompt'), bridgeOf(leg));
      await expect.poll(() => next.received.map(payload), WITHIN).toContain('prompt');
      expect(leg.lost).toEqual([]);
      next.close();
    }

    it('carries RTP, telephone-events and RTCP both ways', async () => {
      const leg = await begin();
      await connected(leg);
      leg.browser.send(rtp(0, 1, 7, 'voice'));
      leg.browser.send(rtp(101, 2, 7, 'key'));
      // No description has this payload type: it is for the stream to drop.
      leg.browser.send(rtp(111, 3, 7, 'other'));
      leg.browser.send(rtcp(7));
      await expect.poll(() => leg.stream.rtp.map(payload), WITHIN).toEqual(['voice', 'key', 'other']);
      await expect.poll(() => leg.stream.rtcp.map(senderOf), WITHIN).toContain(7);
      leg.stream.send(rtp(0, 1, 8, 'prompt'), bridgeOf(leg));
      leg.stream.report(rtcp(8), bridgeOf(leg));
      await expect.poll(() => leg.browser.received.map(payload), WITHIN).toContain('prompt');
      await expect.poll(() => leg.browser.received.map(senderOf), WITHIN).toContain(8);
    });

    it('has one port for all, and mixes none of them up', async () => {
      const all = [await begin(), await begin(), await begin()];
      await Promise.all(all.map(connected));
      for (const [index, { browser }] of all.entries()) browser.send(rtp(0, 1, 7, `voice ${index}`));
      for (const [index, { stream }] of all.entries())
        await expect.poll(() => stream.rtp.map(payload), WITHIN).toEqual([`voice ${index}`]);
      expect(webrtc.openTransports).toBe(3);
    });

    it('reports a browser that does not connect as lost, once', async () => {
      const leg = await begin();
      leg.browser.close();
      expectLost(leg);
      expect(leg.bridge).toBeNull();
      expect(webrtc.openTransports).toBe(0);
    });

    it('waits for a browser that reads our description with the answer alone, and counts its time from there', async () => {
      const leg = await beginLeg(webrtc, legs, new BrowserStandIn(), { isEarly: true });
      vi.advanceTimersByTime(LONG_RING_MS);
      expect(leg.lost).toEqual([]);
      leg.transport.connect(leg.ice);
      leg.browser.answered(webrtc.identity, leg.own);
      await connected(leg);
      leg.browser.send(rtp(0, 1, 7, 'voice'));
      await expect.poll(() => leg.stream.rtp.map(payload), WITHIN).toEqual(['voice']);
      const silent = await beginLeg(webrtc, legs, new BrowserStandIn(), { isEarly: true });
      vi.advanceTimersByTime(LONG_RING_MS);
      silent.transport.connect(silent.ice);
      expectLost(silent);
    });

    it('connects no browser whose certificate is not the one of its SDP', async () => {
      const browser = new BrowserStandIn();
      const other = new BrowserStandIn();
      const peer = { ...browser.ice, fingerprint: other.ice.fingerprint };
      const leg = await beginLeg(webrtc, legs, browser, { peer });
      other.close();
      await expect.poll(() => browser.state, WITHIN).toBe('failed');
      vi.advanceTimersByTime(CONNECT_MS);
      expect(leg.lost).toEqual(['The browser did not connect.']);
      expect(leg.bridge).toBeNull();
    });

    it('hands a stream over to another connection after an ICE restart', async () => {
      const leg = await begin();
      await connected(leg);
      await takesOver(leg);
    });

    it('keeps a leg whose page is gone, for another page to take up', async () => {
      const leg = await begin();
      await connected(leg);
      leg.browser.close();
      await sleep(1_000);
      expect(leg.lost).toEqual([]);
      await takesOver(leg);
    });

    it(`goes on through ${BROKEN_PACKETS} broken packets of STUN, DTLS, RTP and RTCP`, async () => {
      const leg = await begin();
      await connected(leg);
      await flood(webrtc.identity.port, BROKEN_PACKETS);
      leg.browser.send(rtp(0, 1, 7, 'voice'));
      await expect.poll(() => leg.stream.rtp.map(payload), WITHIN).toEqual(['voice']);
      const later = await begin();
      await connected(later);
      expect(leg.lost).toEqual([]);
    });

    it(`goes on through ${BROKEN_PACKETS} broken packets that the browser itself encrypts`, async () => {
      const leg = await begin();
      await connected(leg);
      for (let sent = 0, index = 0; sent < BROKEN_PACKETS; index++) {
        const packet = Buffer.concat([broken(index), Buffer.alloc(12, index)]);
        packet[0] = 0x80 | (index % 64);
        sent += Number(leg.browser.trySend(packet));
        if (index % 100 === 0) await sleep(5);
      }
      leg.stream.rtp.length = 0;
      leg.browser.send(rtp(0, 1, 7, 'voice'));
      await expect.poll(() => leg.stream.rtp.map(payload), WITHIN).toContain('voice');
      expect(leg.lost).toEqual([]);
    });

    it('sends nothing to who does not know the password, and answers with three times the bytes at most to who does and forges addresses', async () => {
      const { own, ice } = await beginLeg(webrtc, legs, new BrowserStandIn(), { isEarly: true });
      const name = `${own.ufrag}:${ice.peer.ufrag}`;
      const request = stunRequest({ name, password: own.pwd });
      const first = await openUnproven(webrtc, request);
      /** Packets are answered in their order: with its answer there are all that the others get. */
      const answered = async (): Promise<void> => {
        const before = first.answers.length;
        const again = (): number => {
          first.ask();
          return first.answers.length;
        };
        await expect.poll(again, WITHIN).toBeGreaterThan(before);
      };
      await answered();
      const strangers = await Promise.all(
        [
          stunRequest(),
          stunRequest({ name, password: 'y'.repeat(24) }),
          stunRequest({ name: `${'z'.repeat(16)}:${ice.peer.ufrag}`, password: own.pwd }),
        ].map((each) => openUnproven(webrtc, each)),
      );
      await answered();
      expect(strangers.map(({ packets }) => packets)).toEqual(strangers.map(() => []));
      const forged: Unproven[] = [];
      for (let count = 0; count < FORGED_ADDRESSES; count++) forged.push(await openUnproven(webrtc, request));
      await answered();
      const reached = forged.filter(({ answers }) => answers.length > 0);
      expect(reached.length).toBeLessThanOrEqual(MOST_ANSWERED);
      for (const { answers } of reached)
        expect(Buffer.concat(answers).length).toBeLessThanOrEqual(3 * request.length);
      for (const { socket } of [first, ...strangers, ...forged]) socket.close();
    });

    it(`gives up ${HALF_OPEN} browsers that begin DTLS and never finish it, and connects another meanwhile`, async () => {
      const halves = await Promise.all(
        Array.from({ length: HALF_OPEN }, async () => {
          const relay = await openHalfOpenRelay(webrtc.identity.port);
          const browser = new BrowserStandIn();
          const answered = browser.answered.bind(browser);
          browser.answered = (identity, own) => answered({ ...identity, port: relay.port }, own);
          return { relay, leg: await beginLeg(webrtc, legs, browser) };
        }),
      );
      for (const { relay } of halves) await expect.poll(() => relay.withheld, WITHIN).toBeGreaterThan(0);
      const honest = await begin();
      await connected(honest);
      for (const { leg } of halves) expect([leg.bridge, leg.lost]).toEqual([null, []]);
      vi.advanceTimersByTime(CONNECT_MS);
      for (const { leg, relay } of halves) {
        expect(leg.lost).toEqual(['The browser did not connect.']);
        relay.close();
      }
      honest.browser.send(rtp(0, 1, 7, 'voice'));
      await expect.poll(() => honest.stream.rtp.map(payload), WITHIN).toEqual(['voice']);
      expect(honest.lost).toEqual([]);
    });

    it(`is set up ${STRANGERS} of ${STRANGERS} times when DTLS of a stranger comes first`, async () => {
      const setUp = async (): Promise<void> => {
        const leg = await begin();
        await flood(webrtc.identity.port, 20, CLIENT_HELLO);
        await connected(leg);
        leg.transport.close();
        leg.browser.close();
      };
      for (let round = 0; round < STRANGERS / 5; round++) await Promise.all(Array.from({ length: 5 }, setUp));
    });
  });
}

/** Connects as a page does that was answered; with `isEarly` it is not yet. */
export async function beginLeg(
  webrtc: Webrtc,
  legs: OpenedLeg[],
  browser = new BrowserStandIn(),
  { peer = browser.ice, isEarly = false }: { readonly peer?: PeerIce; readonly isEarly?: boolean } = {},
): Promise<OpenedLeg> {
  const stream = await StreamStandIn.open();
  const own = newOwnIce(webrtc.identity, null);
  const lost: string[] = [];
  const transport = webrtc.open(stream.port, {
    connected: (address, port) => {
      leg.bridge = { address, port };
    },
    lost: (reason) => lost.push(reason),
  });
  const ice = { own, peer, formats: FORMATS };
  const leg: OpenedLeg = { browser, stream, transport, own, ice, lost, bridge: null };
  legs.push(leg);
  transport.connect(ice, isEarly);
  if (!isEarly) browser.answered(webrtc.identity, own);
  return leg;
}

export async function connected(leg: OpenedLeg): Promise<void> {
  await expect.poll(() => leg.bridge, WITHIN).not.toBeNull();
  await expect.poll(() => leg.browser.state, WITHIN).toBe('open');
}

function bridgeOf({ bridge }: OpenedLeg): { address: string; port: number } {
  if (!bridge) throw new Error('the browser has not connected');
  return bridge;
}

const payload = (packet: Buffer): string => packet.toString('latin1', 12).replace(/\.+$/, '');
const senderOf = (packet: Buffer): number => packet.readUInt32BE(4);

/** A DTLS 1.2 record that claims to be a ClientHello. */
const CLIENT_HELLO = Buffer.concat([
  Buffer.from('16fefd0000000000000000006401000058000000000000005800fefd', 'hex'),
  Buffer.alloc(84, 7),
]);
/** First bytes by RFC 7983: STUN, DTLS, RTP and RTCP. */
const FIRST_BYTES = [0, 1, 22, 23, 128, 129, 144, 191];

/** An address that asks once and proves nothing: it answers no check. */
interface Unproven {
  readonly socket: Socket;
  readonly packets: Buffer[];
  readonly answers: readonly Buffer[];
  ask(): void;
}

async function openUnproven({ identity }: Webrtc, request: Buffer): Promise<Unproven> {
  const socket = createSocket('udp4');
  const packets: Buffer[] = [];
  socket.on('message', (packet) => packets.push(packet));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const ask = (): void => socket.send(request, identity.port, '127.0.0.1');
  ask();
  return {
    socket,
    packets,
    ask,
    get answers() {
      return packets.filter((packet) => packet.readUInt16BE(0) === BINDING_ANSWER);
    },
  };
}

/** From another address of this machine than the browser's. */
async function flood(port: number, packets: number, fixed?: Buffer): Promise<void> {
  const socket = createSocket('udp4');
  for (let index = 0; index < packets; index++) {
    const packet = fixed ?? broken(index);
    await new Promise<void>((resolve) => socket.send(packet, port, '127.0.0.1', () => resolve()));
  }
  await new Promise<void>((resolve) => socket.close(() => resolve()));
}

function broken(index: number): Buffer {
  const packet = Buffer.alloc(1 + ((index * 37) % 1_400));
  for (let at = 0; at < packet.length; at++) packet[at] = (index * 31 + at * 17 + ((at * index) >> 3)) & 0xff;
  packet[0] = FIRST_BYTES[index % FIRST_BYTES.length] ?? 0;
  // STUN's cookie, so that half of these are parsed further.
  if (index % 2 === 0 && packet.length >= 20) packet.writeUInt32BE(0x2112a442, 4);
  if (index % 4 === 0 && packet.length >= 20) packet.writeUInt16BE(packet.length - 20, 2);
  return packet;
}
