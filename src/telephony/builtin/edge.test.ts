// The built-in telephony behind a SIP proxy on loopback that SIP_EDGES names: a socket that writes what such a proxy sends.
import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Trunk } from '../ports/trunk.ts';
import type { Credentials, Peer, Telephony } from '../telephony.ts';
import { openBuiltin } from './builtin.ts';

const REALM = 'dialtree';
const PASSWORD = 'secret';
const PROVIDER = '198.51.100.7';
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

function credentialsOf(user: string): readonly Credentials[] {
  const known = { realm: REALM, md5: md5(`${user}:${REALM}:${PASSWORD}`), sha256: '', requireSha256: false };
  return user === '' ? [] : [{ id: user, ...known }];
}

const TRUNK: Trunk = {
  id: 'provider',
  name: 'provider',
  account: 'a',
  host: PROVIDER,
  port: 5060,
  protocol: 'udp',
  privateHost: true,
  addresses: [PROVIDER],
  username: '',
  password: '',
  register: false,
  maxCalls: 10,
  callerId: null,
};

class Node {
  readonly peers: Peer[] = [];
  telephony!: Telephony;

  static async open(): Promise<Node> {
    const node = new Node();
    const at = { host: '127.0.0.1', port: 0, hostVariable: 'SIP_HOST', portVariable: 'SIP_PORT' };
    node.telephony = await openBuiltin({
      listen: [{ protocol: 'udp', ...at }],
      advertisedAddress: undefined,
      isEdge: (address) => address === '127.0.0.1',
      nonceKey: Buffer.alloc(32, 7),
      realm: REALM,
      digests: ['MD5'],
      isOpenAddress: () => true,
      user: {
        mayCall: () => [],
        trunkOf: (ids) => ids[0] ?? '',
        credentialsOf,
        credentialsFor: (id, name) => credentialsOf(name).find((each) => each.id === id),
        called: ({ peer }) => {
          node.peers.push(peer);
          return { status: 480 };
        },
      },
      logger: pino({ level: 'silent' }),
      media: {
        host: '127.0.0.1',
        ports: { from: 31_000, to: 31_099 },
        workers: 1,
        adapter: 'auto',
        rtpTimeoutMs: 30_000,
      },
      limits: { maxCalls: 100, maxCallsPerSecond: 0 },
      readSound: async () => null,
    });
    node.telephony.setTrunks([TRUNK]);
    return node;
  }

  get port(): number {
    return Number(this.telephony.report().listening[0]?.split(':').at(-1));
  }
}

let branches = 0;

/** A proxy, or another program on this machine; `address` is its own. */
class Program {
  readonly #socket: Socket;
  readonly #address: string;
  readonly #heard: string[] = [];
  #wake: () => void = () => undefined;

  static async open(address: string): Promise<Program> {
    const socket = createSocket('udp4');
    await new Promise<void>((bound) => socket.bind(0, address, bound));
    return new Program(socket, address);
  }

  private constructor(socket: Socket, address: string) {
    this.#socket = socket;
    this.#address = address;
    socket.on('message', (bytes) => {
      this.#heard.push(bytes.toString());
      this.#wake();
    });
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Sends a request that came from `peer`, of which the proxy wrote `received` and `rport`; null: its own. */
  async ask(
    node: Node,
    method: string,
    peer: string | null,
    more: readonly string[] = [],
    user = '1001',
  ): Promise<string> {
    const branch = `z9hG4bK${++branches}`;
    const behind =
      peer === null
        ? []
        : [`Via: SIP/2.0/UDP 192.168.1.5:5060;received=${peer};rport=40000;branch=${branch}x`];
    const text = [
      `${method} sip:100@dialtree.example SIP/2.0`,
      `Via: SIP/2.0/UDP ${this.#address}:${this.port};branch=${branch}`,
      ...behind,
      `From: <sip:${user}@dialtree.example>;tag=a${branch}`,
      `To: <sip:${method === 'REGISTER' ? user : '100'}@dialtree.example>`,
      `Call-ID: ${branch}`,
      `CSeq: 1 ${method}`,
      'Max-Forwards: 69',
      'Contact: <sip:1001@192.168.1.5:5060>',
      ...more,
      'Content-Length: 0\r\n\r\n',
    ].join('\r\n');
    this.#socket.send(text, node.port, '127.0.0.1');
    return this.next(
      (each) => each.startsWith('SIP/2.0 ') && !each.startsWith('SIP/2.0 100') && each.includes(branch),
    );
  }

  async next(isIt: (text: string) => boolean): Promise<string> {
    for (const deadline = Date.now() + 5_000; Date.now() < deadline; ) {
      const at = this.#heard.findIndex(isIt);
      if (at >= 0) return this.#heard.splice(at, 1)[0] ?? '';
      await new Promise<void>((wake) => {
        this.#wake = wake;
        setTimeout(wake, 100);
      });
    }
    throw new Error(`not heard; but:\n${this.#heard.join('\n')}`);
  }

  close(): void {
    this.#socket.close();
  }
}

const statusOf = (response: string): number => Number(response.slice(8, 11));

function answer(challenge: string, method: string, password = PASSWORD, user = '1001'): string {
  const nonce = /nonce="([^"]+)"/.exec(challenge)?.[1] ?? '';
  const uri = 'sip:100@dialtree.example';
  const response = md5(
    `${md5(`${user}:${REALM}:${password}`)}:${nonce}:00000001:xyz:auth:${md5(`${method}:${uri}`)}`,
  );
  return (
    `Authorization: Digest username="${user}", realm="${REALM}", nonce="${nonce}", uri="${uri}", ` +
    `response="${response}", algorithm=MD5, qop=auth, nc=00000001, cnonce="xyz"`
  );
}

describe('behind a proxy of SIP_EDGES', () => {
  let node: Node;
  let edge: Program;
  let path: string;

  beforeAll(async () => {
    node = await Node.open();
    edge = await Program.open('127.0.0.1');
    path = `Path: <sip:127.0.0.1:${edge.port};lr>`;
  });

  afterAll(async () => {
    edge.close();
    await node.telephony.close();
  });

  const register = async (peer: string, user = '1001'): Promise<string> => {
    const challenge = await edge.ask(node, 'REGISTER', peer, [path], user);
    return edge.ask(node, 'REGISTER', peer, [path, answer(challenge, 'REGISTER', PASSWORD, user)], user);
  };

  it('a phone that does not know Path registers, and is rung by the Path', async () => {
    const registered = await register('203.0.113.20');
    expect(registered.split('\r\n')[0]).toBe('SIP/2.0 200 OK');
    expect(registered.toLowerCase()).not.toContain('\r\npath:');
    expect(node.telephony.phonesOf('1001')).toMatchObject([{ address: '203.0.113.20' }]);
    node.telephony.dial({ kind: 'phones', id: '1001' }, { caller: '200', callerName: '' })?.hangUp();
    const leg = node.telephony.dial({ kind: 'phones', id: '1001' }, { caller: '200', callerName: '' });
    const invite = await edge.next((text) => text.startsWith('INVITE '));
    expect(invite).toContain('INVITE sip:1001@192.168.1.5:5060 SIP/2.0');
    expect(invite).toContain(`Route: <sip:127.0.0.1:${edge.port};lr>`);
    leg?.hangUp();
  });

  it('a provider calls without a password right after a phone registered by the same socket of the proxy', async () => {
    expect(statusOf(await register('203.0.113.20'))).toBe(200);
    expect(statusOf(await edge.ask(node, 'INVITE', PROVIDER))).toBe(480);
    expect(node.peers.at(-1)).toEqual({ kind: 'trunk', id: 'provider' });
    expect(statusOf(await edge.ask(node, 'INVITE', '203.0.113.20'))).toBe(401);
  });

  it('a caller is not on this machine because the proxy is', async () => {
    expect(statusOf(await edge.ask(node, 'INVITE', '203.0.113.9'))).toBe(401);
    // As a phone on the proxy's own machine has it; and the proxy itself.
    expect(statusOf(await edge.ask(node, 'INVITE', '127.0.0.9'))).toBe(401);
    expect(statusOf(await edge.ask(node, 'INVITE', null))).toBe(401);
  });

  it('from another address the second Via counts for nothing', async () => {
    const local = await Program.open('127.0.0.2');
    try {
      expect(statusOf(await local.ask(node, 'INVITE', PROVIDER))).toBe(480);
      expect(node.peers.at(-1)).toEqual({ kind: 'local' });
    } finally {
      local.close();
    }
  });

  it('a flood bans its sender alone, who is answered: a proxy would try the other nodes', async () => {
    const flood: number[] = [];
    for (let sent = 0; sent < 20; sent++)
      flood.push(statusOf(await edge.ask(node, 'INVITE', '203.0.113.66')));
    expect(flood.slice(0, 16)).toEqual(Array(16).fill(401));
    expect(await edge.ask(node, 'INVITE', '203.0.113.66')).toMatch(/^SIP\/2.0 403 Banned/);
    expect(statusOf(await edge.ask(node, 'INVITE', '203.0.113.67'))).toBe(401);
    expect(statusOf(await edge.ask(node, 'INVITE', PROVIDER))).toBe(480);
    expect(statusOf(await edge.ask(node, 'OPTIONS', null))).toBe(200);
  });

  it('a scanner is banned alone', async () => {
    const scanner = ['User-Agent: friendly-scanner'];
    expect(statusOf(await edge.ask(node, 'INVITE', '203.0.113.70', scanner))).toBe(403);
    expect(statusOf(await edge.ask(node, 'INVITE', '203.0.113.70'))).toBe(403);
    expect(statusOf(await edge.ask(node, 'INVITE', '203.0.113.71'))).toBe(401);
  });

  it('who is refused but not banned, as a scanner at the address of a trusted phone, is not called banned', async () => {
    expect(statusOf(await register('203.0.113.72', '1005'))).toBe(200);
    const refused = await edge.ask(node, 'INVITE', '203.0.113.72', ['User-Agent: friendly-scanner']);
    expect(refused).toMatch(/^SIP\/2.0 403 Forbidden/);
    expect(statusOf(await edge.ask(node, 'INVITE', '203.0.113.72'))).toBe(401);
  });

  it('wrong passwords ban their sender alone', async () => {
    const guesses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      const challenge = await edge.ask(node, 'REGISTER', '203.0.113.80', [path], '1003');
      const wrong = answer(challenge, 'REGISTER', 'wrong', '1003');
      if (statusOf(challenge) === 401)
        guesses.push(statusOf(await edge.ask(node, 'REGISTER', '203.0.113.80', [path, wrong], '1003')));
    }
    expect(guesses).toEqual([401, 401, 401, 401, 401]);
    expect(statusOf(await register('203.0.113.81', '1003'))).toBe(200);
  });

  it('a challenge of another node, answered here, is stale and no wrong password', async () => {
    const other = await Node.open();
    try {
      for (let answered = 0; answered < 7; answered++) {
        const challenge = await edge.ask(other, 'REGISTER', '203.0.113.90', [path], '1004');
        const header = answer(challenge, 'REGISTER', PASSWORD, '1004');
        const response = await edge.ask(node, 'REGISTER', '203.0.113.90', [path, header], '1004');
        expect(response).toContain('SIP/2.0 401');
        expect(response).toContain('stale=true');
      }
      expect(statusOf(await register('203.0.113.90', '1004'))).toBe(200);
    } finally {
      await other.telephony.close();
    }
  });

  it('OPTIONS of the proxy is answered 200, those of strangers are refused', async () => {
    expect(statusOf(await edge.ask(node, 'OPTIONS', null))).toBe(200);
    expect(statusOf(await edge.ask(node, 'OPTIONS', '203.0.113.99'))).toBe(403);
    expect(statusOf(await edge.ask(node, 'OPTIONS', PROVIDER))).toBe(200);
  });
});

it('while it drains, OPTIONS is answered 503 with Retry-After', async () => {
  const node = await Node.open();
  const edge = await Program.open('127.0.0.1');
  try {
    node.telephony.drain();
    const refused = await edge.ask(node, 'OPTIONS', null);
    expect(statusOf(refused)).toBe(503);
    expect(refused).toMatch(/\r\nRetry-After: \d+\r\n/i);
  } finally {
    edge.close();
    await node.telephony.close();
  }
});
