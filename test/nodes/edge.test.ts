// Phones, providers and strangers in front of Kamailio with the configuration of deploy/kamailio, and two nodes behind it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sipDigests } from '../../src/domain/sip-password.ts';
import { tones } from '../calls/support/phone-bed.ts';
import { Baresip } from '../phones/support/baresip.ts';
import { freePort, has } from '../phones/support/program.ts';
import { extension, PASSWORD } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Cluster } from './support/cluster.ts';
import { sleep } from './support/report.ts';

const { hz, recordings } = tones(60_000, 'menu');
const PROVIDER = '127.0.0.31';
/** The trunk of outbound calls. */
const CARRIER = '127.0.0.32';
/** What one node is told the others know within a second, on a machine that is not too busy. */
const known = (): Promise<void> => sleep(3_000);
/** baresip's accounts hold no spaces. */
const SECRET = 'no-spaces-in-accounts';
const hash = (algorithm: string, text: string): string => createHash(algorithm).update(text).digest('hex');

describe.skipIf(postgresMissing() || !has('kamailio'))('behind Kamailio', () => {
  let cluster: Cluster;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-certificate-'));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const subject = ['-days', '2', '-subj', '/CN=127.0.0.5'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate, ...subject],
      { stdio: 'pipe' },
    );
    const port = await freePort('127.0.0.5');
    cluster = await Cluster.open({
      nodes: 2,
      edge: { port, tls: { certificate, key }, settings: ['#!define ROOM_NUMBERS "^30[01]$"'] },
      env: { SIP_OUTBOUND_EDGE: `127.0.0.5:${port}` },
      recordings,
      agents: {
        '1001': {},
        '1002': {},
        '1003': { sip: sipDigests('1003', SECRET, hash) },
        '1004': { follow_me_number: '+49301' },
      },
      menus: {
        main: {
          recording: 'recording||menu',
          timeout: 60,
          option: ['1', '2'],
          destination: [extension('1001'), extension('1002')],
        },
      },
      numbers: {
        '100': 'ivr||main',
        '101': extension('1001'),
        '103': extension('1003'),
        '104': extension('1004'),
      },
      trunks: {
        provider: { addresses: [PROVIDER] },
        carrier: { host: CARRIER, outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }] },
      },
    });
  });

  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = (host: string, user?: string): Promise<Phone> =>
    cluster.phone(0, { server: cluster.edge.sip, host, ...(user ? { user, password: PASSWORD } : {}) });

  /** The status of the first answer to a call without a password. */
  async function stranger(host: string, withinMs = 30_000): Promise<number | 'silence'> {
    const phone = await open(host);
    const call = await phone.call('100');
    return call.finished({ withinMs }).catch(() => 'silence' as const);
  }

  it('a phone registers, calls, is called by a provider, talks and hangs up, and the next call of the provider is taken', async () => {
    const agent = await open('127.0.0.21', '1001');
    expect(await agent.register()).toBe(200);
    await known();
    for (const node of cluster.nodes) {
      const { json } = await node.api('GET', '/v1/agent/91001/phones');
      expect(JSON.stringify(json)).toContain('127.0.0.21');
    }

    const provider = await open(PROVIDER);
    const call = await provider.call('101');
    const rung = await agent.incoming();
    await rung.answer();
    await call.answered();
    await rung.sendTone(1_700);
    await call.hears(1_700, { forMs: 200 });
    await call.sendTone(2_100);
    await rung.hears(2_100, { forMs: 200 });
    // In the call, from either side, by the edge.
    await rung.hangUp();
    await call.ended();

    const menu = await (await provider.call('100')).answered();
    await menu.hears(hz.menu, { forMs: 200 });
    await menu.hangUp();

    const own = await (await agent.call('100')).answered();
    await own.hears(hz.menu, { forMs: 200 });
    await own.hangUp();
    expect(await agent.unregister()).toBe(200);
  });

  it('a trunk is called by the edge', async () => {
    const carrier = await open(CARRIER);
    const { status, text } = await cluster.node(0).api('PATCH', '/v1/trunk/carrier', { port: carrier.port });
    expect(status, text).toBe(200);
    await known();
    const provider = await open(PROVIDER);
    const call = await provider.call('104');
    const called = await carrier.incoming();
    const invite = called.invite;
    expect(invite?.first).toContain(`+49301@${CARRIER}`);
    expect(invite?.headers.filter(([name]) => name.toLowerCase() === 'route')).toEqual([]);
    expect(JSON.stringify(invite?.headers.filter(([name]) => name.toLowerCase() === 'via')[0])).toContain(
      '127.0.0.5',
    );
    await called.answer();
    await call.answered();
    await called.sendTone(1_700);
    await call.hears(1_700, { forMs: 200 });
    await call.hangUp();
    await called.ended();
  });

  it('all who dial a conference room come to one node, and so into one conference', async () => {
    const [first] = cluster.nodes;
    const room = (await first?.api('POST', '/v1/room', { name: 'Weekly', announce: false }))?.json.id;
    for (const number of ['300', '301'])
      await first?.api('POST', '/v1/number', { number, destination: `room||${room}` });
    await known();
    const [provider, agent] = [await open(PROVIDER), await open('127.0.0.22', '1002')];
    const calls: PhoneCall[] = [];
    // By their Call-IDs they would be at both nodes, but for 1 of 64 runs.
    for (const number of ['300', '301', '300', '301', '300', '301'])
      calls.push(await (await provider.call(number)).answered());
    calls.push(await (await agent.call('300')).answered());
    const listed = await first?.api('GET', `/v1/room/${room}/participants`);
    expect(listed?.json.participants).toHaveLength(calls.length);
    await calls[6]?.sendTone(1_700);
    await calls[0]?.hears(1_700, { forMs: 200 });
    for (const call of calls) await call.hangUp();
  });

  it('a caller behind an edge on this machine is not taken for one on this machine', async () => {
    expect(await stranger('127.0.0.41')).toBe(401);
    expect(await stranger('127.0.0.1')).toBe(401);
  });

  it('a provider’s address in `received`, written by the sender, opens nothing', async () => {
    const phone = await open('127.0.0.42');
    for (const [at, via] of [
      `SIP/2.0/UDP 127.0.0.42:${phone.port};received=${PROVIDER};branch=z9hG4bKforged1`,
      `SIP/2.0/UDP 127.0.0.42:${phone.port};rport;branch=z9hG4bKforged2;received=${PROVIDER}`,
      `SIP/2.0/UDP ${PROVIDER}:5060;rport;branch=z9hG4bKforged3`,
      `SIP/2.0/UDP 127.0.0.42:${phone.port};rport;branch=z9hG4bKforged4, SIP/2.0/UDP ${PROVIDER};branch=z9hG4bKx`,
    ].entries()) {
      const { host, port } = cluster.edge.sip;
      phone.sendRaw(
        `INVITE sip:100@${host}:${port} SIP/2.0\r\nVia: ${via}\r\nFrom: <sip:a@b>;tag=a${at}\r\nTo: <sip:100@b>\r\n` +
          `Call-ID: forged-${at}\r\nCSeq: 1 INVITE\r\nMax-Forwards: 70\r\nContact: <sip:a@127.0.0.42:${phone.port}>\r\n` +
          'Content-Length: 0\r\n\r\n',
      );
      await sleep(300);
    }
    const answers = phone.log
      .filter(({ way }) => way === 'received')
      .map(({ text }) => text.split('\r\n')[0]);
    expect(answers.filter((first) => / (18\d|2\d\d) /.test(first ?? ''))).toEqual([]);
    expect(answers.some((first) => / 401 /.test(first ?? ''))).toBe(true);
  });

  /** A request outside a call, or with a To-tag inside of one, as anyone can write it. */
  const raw = (from: Phone, method: string, uri: string, more: readonly string[], to = ''): string => {
    const id = `raw-${++rawSent}`;
    const lines = [
      `${method} ${uri} SIP/2.0`,
      `Via: SIP/2.0/UDP ${from.host}:${from.port};rport;branch=z9hG4bK${id}`,
      `From: <sip:a@b>;tag=${id}`,
      `To: <sip:100@b>${to}`,
      `Call-ID: ${id}`,
      `CSeq: 1 ${method}`,
      'Max-Forwards: 70',
      ...more,
    ];
    return `${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`;
  };
  let rawSent = 0;
  const received = (phone: Phone): string[] =>
    phone.log.filter(({ way }) => way === 'received').map(({ first }) => first);

  it('a request in no call, with a Route or parameters of its own, reaches nodes alone', async () => {
    const [stranger, victim] = [await open('127.0.0.51'), await open('127.0.0.52')];
    const { host, port } = cluster.edge.sip;
    const node = `sip:${cluster.node(0).sip.host}:${cluster.node(0).sip.port}`;
    const edge = `<sip:${host}:${port};lr>`;
    const there = `sip:127.0.0.52:${victim.port}`;
    for (const method of ['BYE', 'INFO', 'ACK']) {
      stranger.sendRaw(raw(stranger, method, node, [`Route: ${edge}, <${there};lr>`], ';tag=x'));
      stranger.sendRaw(raw(stranger, method, node, [`Route: ${edge}`, `Route: <${there};lr>`], ';tag=x'));
      stranger.sendRaw(raw(stranger, method, there, [`Route: ${edge}`], ';tag=x'));
      // A strict router's.
      stranger.sendRaw(
        raw(stranger, method, `sip:${host}:${port}`, [`Route: <${there};lr>, <${node}>`], ';tag=x'),
      );
      stranger.sendRaw(raw(stranger, method, `${node};maddr=127.0.0.52`, [`Route: ${edge}`], ';tag=x'));
    }
    const refused = (): string[] => received(stranger).filter((first) => first.includes('Not a Node'));
    await expect.poll(() => refused().length).toBeGreaterThan(5);
    await sleep(700);
    expect(received(victim)).toEqual([]);
    expect(await cluster.edge.command('htable.dump', 'known')).not.toContain('127.0.0.51');
  });

  it('a scanner’s request is dropped at the edge, and over UDP, where its address may be forged, no one is banned', async () => {
    const scan = (from: Phone): void =>
      from.sendRaw(
        raw(from, 'OPTIONS', `sip:100@${cluster.edge.sip.host}`, ['User-Agent: friendly-scanner']),
      );
    const [scanner, provider] = [await open('127.0.0.43'), await open(PROVIDER)];
    for (const from of [scanner, provider]) scan(from);
    await sleep(200);
    expect([...received(scanner), ...received(provider)]).toEqual([]);
    expect(await stranger('127.0.0.43')).toBe(401);
    await (await (await provider.call('100')).answered()).hangUp();
  });

  it('an alias that a caller or a phone wrote into its Contact leads nowhere', async () => {
    const victim = await open('127.0.0.53');
    const alias = `;alias=127.0.0.53~${victim.port}~1`;
    const forge = (phone: Phone): void => {
      const contact = phone.contact.replace('>', `${alias}>`);
      Object.defineProperty(phone, 'contact', { value: contact });
    };
    const [provider, agent] = [await open(PROVIDER), await open('127.0.0.54', '1001')];
    for (const phone of [provider, agent]) forge(phone);
    expect(await agent.register()).toBe(200);
    await known();
    const call = await provider.call('101');
    const rung = await agent.incoming();
    await rung.answer();
    await call.answered();
    // The node hangs up one of them when the other one does.
    await rung.hangUp();
    await call.ended();
    const second = await provider.call('101');
    const again = await agent.incoming();
    await again.answer();
    await second.answered();
    await second.hangUp();
    await again.ended();
    expect(received(victim)).toEqual([]);
    expect(await agent.unregister()).toBe(200);
  });

  it('guessed passwords ban their sender alone, first at the node, then at the edge', async () => {
    const guesser = await cluster.phone(0, {
      server: cluster.edge.sip,
      host: '127.0.0.45',
      user: '1003',
      password: 'wrong',
    });
    const isBanned = (): Promise<boolean> =>
      cluster.edge.command('htable.get', 'banned', '127.0.0.45').then(
        (found) => found.includes('127.0.0.45'),
        () => false,
      );
    const statuses: number[] = [];
    // The last one gets no answer. Each node counts what it gets.
    while (statuses.length < 12 && !(await isBanned()))
      statuses.push(await Promise.race([guesser.register(), sleep(10_000).then(() => 0)]));
    expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401]);
    expect(await isBanned()).toBe(true);
    const agent = await open('127.0.0.46', '1002');
    expect(await agent.register()).toBe(200);
    expect(await agent.unregister()).toBe(200);
  });

  it('a node that does not answer is out of service, and back when it does', async () => {
    const { edge } = cluster;
    cluster.node(0).freeze();
    await edge.serves(1);
    for (let calls = 0; calls < 5; calls++) expect(await stranger('127.0.0.47')).toBe(401);
    cluster.node(0).thaw();
    await edge.serves(2);
  });

  it('without the database the node stays in service, and takes calls', async () => {
    await cluster.database.stop();
    try {
      await sleep(2_500);
      await cluster.edge.serves(2, 100);
      const provider = await open(PROVIDER);
      const call = await (await provider.call('100')).answered();
      await call.hears(hz.menu, { forMs: 200 });
      await call.hangUp();
    } finally {
      await cluster.database.start();
    }
  });

  describe.runIf(has('baresip'))('baresip', () => {
    it.each(['udp', 'tls'] as const)(
      'registers by %s, is called and heard, and hangs up',
      async (transport) => {
        const { host } = cluster.edge.sip;
        const port = transport === 'tls' ? cluster.edge.tlsPort : cluster.edge.sip.port;
        const device = await Baresip.start({
          server: { host, port },
          user: '1003',
          password: SECRET,
          toneHz: 1_300,
          answers: 'auto',
          transport,
        });
        try {
          await device.registered();
          await known();
          const provider = await open(PROVIDER);
          const call = await (await provider.call('103')).answered();
          await call.hears(1_300, { forMs: 300 });
          await call.sendTone(2_100);
          await device.hears(2_100);
          await call.hangUp();
          await device.happens('CALL_CLOSED');
        } finally {
          await device.remove();
        }
      },
    );
  });
});
