// Phones at Kamailio by TLS and by WebSocket: each is rung from every node, not only from the one that took its REGISTER.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tones } from '../calls/support/phone-bed.ts';
import { has } from '../phones/support/program.ts';
import { extension, PASSWORD } from '../support/pbx.ts';
import type { Phone } from '../support/phone/phone.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Cluster } from './support/cluster.ts';
import { sleep } from './support/report.ts';
import { handshake, SecureRelay } from './support/secure-relay.ts';

const { hz, recordings } = tones(60_000, 'menu');
const ORIGIN = 'https://phones.example.com';
const TRANSPORTS = { tls: '127.0.0.6', ws: '127.0.0.7' } as const;

describe.skipIf(postgresMissing() || !has('kamailio'))('behind Kamailio, encrypted', () => {
  let cluster: Cluster;
  let folder: string;
  let edge: { host: string; port: number };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dialtree-certificate-'));
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate];
    execFileSync('openssl', [...made, '-days', '2', '-subj', '/CN=127.0.0.5'], { stdio: 'pipe' });
    cluster = await Cluster.open({
      nodes: 2,
      // Phones by WebSocket are offered plain RTP then, which the phones of this test speak.
      env: { WEBRTC_PORT: 'off' },
      edge: {
        tls: { certificate, key },
        settings: [
          '#!define WITH_WEBSOCKET',
          `#!define WEBSOCKET_ORIGIN "${ORIGIN}"`,
          '#!define PROVIDERS "203.0.113.7,127.0.0.52/32"',
        ],
      },
      recordings,
      agents: { '1001': {}, '1002': {} },
      menus: { main: { recording: 'recording||menu', timeout: 60, option: [], destination: [] } },
      numbers: { '100': 'ivr||main', '101': extension('1001'), '102': extension('1002') },
    });
    edge = { host: cluster.edge.sip.host, port: cluster.edge.tlsPort };
  });
  afterAll(async () => {
    await cluster?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(TRANSPORTS) as (keyof typeof TRANSPORTS)[])(
    'a phone by %s calls, and is rung from every node; both sides hang up',
    async (transport) => {
      const relay = await SecureRelay.open({ host: TRANSPORTS[transport], edge, transport, origin: ORIGIN });
      try {
        const user = transport === 'tls' ? '1001' : '1002';
        const options = { server: relay.address, transport: 'tcp', host: '127.0.0.48' } as const;
        const phone = await cluster.phone(0, { ...options, user, password: PASSWORD });
        expect(await phone.register(), phone.ladder()).toBe(200);
        const own = await (await phone.call('100')).answered();
        await own.hears(hz.menu, { forMs: 200 });
        await own.hangUp();
        await sleep(3_000);
        for (const [index, node] of cluster.nodes.entries()) {
          // At the node itself, past the edge: so this node rings the phone.
          const call = await (await cluster.phone(index)).call(transport === 'tls' ? '101' : '102');
          const rung = await phone.incoming().catch((error: Error) => {
            throw new Error(
              `${node.id} did not ring it: ${error.message}\n${cluster.edge.said.slice(-2_000)}`,
            );
          });
          await rung.answer();
          await call.answered();
          await rung.sendTone(1_700);
          await call.hears(1_700, { forMs: 200 });
          await call.sendTone(2_100);
          await rung.hears(2_100, { forMs: 200 });
          const [first, second] = index === 0 ? [rung, call] : [call, rung];
          await first.hangUp();
          await second.ended();
          // To the other node the agent is busy until the end has reached PostgreSQL.
          await sleep(500);
        }
        expect(await phone.unregister()).toBe(200);
      } finally {
        relay.close();
      }
    },
  );

  it('a WebSocket of another page is refused, and what is no WebSocket finds nothing', async () => {
    expect(await handshake(edge, ORIGIN)).toBe(101);
    expect(await handshake(edge, 'https://evil.example.com')).toBe(403);
    expect(await handshake(edge, undefined)).toBe(403);
    const node = (await fetch(`http://${cluster.edge.sip.host}:${cluster.edge.sip.port}/`).catch(() => null))
      ?.status;
    expect(node).toBe(404);
  });

  const answers = (of: Phone): number => of.log.filter(({ way }) => way === 'received').length;
  /** What the edge refuses by itself (405): nodes, which would ban the sender for it, do not see it. */
  const message = (host: string, at: number, by = 'UDP'): string =>
    `INFO sip:100@${cluster.edge.sip.host} SIP/2.0\r\nVia: SIP/2.0/${by} ${host}:5060;rport;branch=z9hG4bKf${at}\r\n` +
    `From: <sip:a@b>;tag=${at}\r\nTo: <sip:100@b>\r\nCall-ID: flood-${at}\r\nCSeq: 1 INFO\r\nMax-Forwards: 70\r\n` +
    'Content-Length: 0\r\n\r\n';
  const sender = (host: string): Promise<Phone> => cluster.phone(0, { server: cluster.edge.sip, host });
  const bans = (): Promise<string> => cluster.edge.command('htable.dump', 'banned');
  const expectServed = async (host: string): Promise<void> => {
    const phone = await cluster.phone(0, { server: cluster.edge.sip, host });
    expect(await (await phone.call('100')).finished()).toBe(401);
  };

  it('of a flood over UDP, whose address may be forged, the excess is dropped, and no one is banned', async () => {
    const phone = await sender('127.0.0.49');
    for (let sent = 1; sent <= 400; sent++) {
      phone.sendRaw(message('127.0.0.49', sent));
      // A socket's buffer holds some 160 of them.
      if (sent % 50 === 0) await sleep(50);
    }
    await expect.poll(() => answers(phone)).toBeGreaterThan(0);
    await expect.poll(() => cluster.edge.said).toContain('flood of 127.0.0.49 by udp');
    await sleep(1_000);
    expect(answers(phone)).toBeLessThan(200);
    expect(cluster.edge.said.split('flood of 127.0.0.49 by udp')).toHaveLength(2);
    expect(await bans()).not.toContain('127.0.0.49');
    await expectServed('127.0.0.50');
  });

  it('a flood over TCP bans its address alone', async () => {
    const { host, port } = cluster.edge.sip;
    const socket = connect({ host, port, localAddress: '127.0.0.51' });
    try {
      await once(socket, 'connect');
      for (let at = 0; at < 200; at++) socket.write(message('127.0.0.51', at, 'TCP'));
      await expect.poll(bans).toContain('127.0.0.51');
      await expectServed('127.0.0.50');
    } finally {
      socket.destroy();
    }
  });

  it('addresses of PROVIDERS are not counted', async () => {
    const phone = await sender('127.0.0.52');
    // No faster than they are answered: none is lost in a buffer.
    for (let sent = 0; sent < 200; ) {
      for (const end = sent + 20; sent < end; sent++) phone.sendRaw(message('127.0.0.52', sent));
      await expect.poll(() => answers(phone)).toBe(sent);
    }
  });
});
