// JsSIP in Node: its SIP as in a page, over a WebSocket of `ws`, with a stub in place of WebRTC that speaks plain RTP on this machine.
import { createSocket, type Socket } from 'node:dgram';
import JsSIP from 'jssip';
import { WebSocket } from 'ws';

/** Offers and answers PCMU at a port of its own, and counts what arrives there. */
export class StubConnection {
  static readonly all: StubConnection[] = [];
  readonly iceGatheringState = 'complete';
  readonly signalingState = 'stable';
  readonly iceConnectionState = 'connected';
  localDescription: { type: string; sdp: string } | null = null;
  remoteSdp = '';
  packets = 0;
  readonly #socket: Socket = createSocket('udp4');
  readonly #bound = new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve));

  constructor() {
    StubConnection.all.push(this);
    this.#socket.on('message', () => {
      this.packets += 1;
    });
  }

  addEventListener(): void {}
  removeEventListener(): void {}
  getSenders(): never[] {
    return [];
  }

  createOffer(): Promise<{ type: string; sdp: string }> {
    return this.#describe('offer');
  }

  createAnswer(): Promise<{ type: string; sdp: string }> {
    return this.#describe('answer');
  }

  async setLocalDescription(description: { type: string; sdp: string }): Promise<void> {
    this.localDescription = description;
  }

  async setRemoteDescription({ sdp }: { sdp: string }): Promise<void> {
    this.remoteSdp = sdp;
  }

  close(): void {
    this.#socket.close();
  }

  async #describe(type: string): Promise<{ type: string; sdp: string }> {
    await this.#bound;
    const { port } = this.#socket.address();
    const sdp = `v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0 101\r\na=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\na=sendrecv\r\n`;
    return { type, sdp };
  }
}

/** What JsSIP looks for in a page. */
export function pretendPage(): void {
  class StubDescription {
    readonly type: string;
    readonly sdp: string;
    constructor({ type, sdp }: { type: string; sdp: string }) {
      this.type = type;
      this.sdp = sdp;
    }
  }
  const page = { RTCPeerConnection: StubConnection, RTCSessionDescription: StubDescription, WebSocket };
  Object.assign(globalThis, page, { window: page });
}

export interface MadeSession {
  readonly username: string;
  readonly password: string;
  readonly realm: string;
  readonly path: string;
}

/** As docs/browser-phones.md shows it. */
export function jssipPhone(
  url: string,
  session: MadeSession,
  register: boolean,
): InstanceType<typeof JsSIP.UA> {
  const { host } = new URL(url);
  return new JsSIP.UA({
    sockets: [new JsSIP.WebSocketInterface(`ws://${host}${session.path}`)],
    uri: `sip:${session.username}@${host}`,
    password: session.password,
    realm: session.realm,
    register,
    session_timers: false,
  });
}
