// Who keeps a connection when there are too many (threat T39).
import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { authenticate, cleanUpAll, connected, open, options } from '../testing/open-transports.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { VirtualTimers } from '../testing/virtual-timers.ts';
import { AcceptedConnections } from './accepted.ts';
import { networkOf } from './peer-address.ts';
import { STREAM_LIMITS, type StreamLimits } from './stream.ts';

afterEach(cleanUpAll);

test.each([
  ['192.0.2.77', '192.0.2'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('accepted connections', () => {
  test('closes a connection that is not authenticated after 30 s, whatever it sends (T39)', async () => {
    const timers = new VirtualTimers();
    const { transports, port } = await open('tcp', { timers });
    const socket = await connected(port);
    socket.write(options('TCP'));
    await vi.waitFor(() => expect(transports.counts.requests).toBe(1));
    timers.advance(29_000);
    const pong = once(socket, 'data');
    socket.write('\r\n\r\n');
    await pong;
    expect(transports.counts.connections).toBe(1);
    timers.advance(1_001);
    expect(transports.counts.connections).toBe(0);
    expect(timers.count).toBe(0);
  });

  test('a new connection replaces the oldest that is not authenticated (T39)', async () => {
    const { transports, heard, port } = await open('tcp', { limits: { connections: 3 } });
    const phone = await connected(port);
    phone.write(options('TCP'));
    await vi.waitFor(() => expect(heard.flows).toHaveLength(1));
    authenticate(transports, heard, 'agent');
    const [second, third] = [await connected(port), await connected(port)];
    await vi.waitFor(() => expect(transports.counts.connections).toBe(3));
    const gone = once(second, 'close');
    const fourth = await connected(port);
    await gone;
    expect([phone, third, fourth].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
    expect(transports.counts).toMatchObject({ connections: 3, refusedConnections: 1 });
    // Also for a connection that we open.
    const peer = await open('tcp');
    await transports.flowTo('tcp', { address: '127.0.0.1', port: peer.port });
    await vi.waitFor(() => expect(third.destroyed).toBe(true));
    expect(phone.destroyed).toBe(false);
  });

  test('authenticated connections do not give way: beyond the limit a new one is closed', async () => {
    const { transports, heard, port } = await open('tcp', { limits: { perAddress: 2 } });
    const phones = [await connected(port), await connected(port)];
    for (const phone of phones) phone.write(options('TCP'));
    await vi.waitFor(() => expect(heard.flows).toHaveLength(2));
    authenticate(transports, heard, null);
    const late = await connected(port);
    await once(late, 'close');
    expect(phones.map(({ destroyed }) => destroyed)).toEqual([false, false]);
  });

  test('one network has a share of the connections that are not authenticated', async () => {
    const { transports, port } = await open('tcp', { limits: { strangersPerNetwork: 2 } });
    const sockets: Socket[] = [];
    for (const localAddress of ['127.0.3.9', '127.0.2.1', '127.0.2.2', '127.0.2.3'])
      sockets.push(await connected(port, localAddress));
    await vi.waitFor(() => expect(transports.counts.connections).toBe(3));
    await vi.waitFor(() =>
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false, true, false, false]),
    );
  });

  test('one agent authenticates so many connections and no more', async () => {
    const timers = new VirtualTimers();
    const { transports, heard, port } = await open('tcp', { timers, limits: { perOwner: 1 } });
    for (const phone of [await connected(port), await connected(port)]) phone.write(options('TCP'));
    await vi.waitFor(() => expect(heard.flows).toHaveLength(2));
    authenticate(transports, heard, 'agent');
    timers.advance(31_000);
    expect(transports.counts.connections).toBe(1);
    await transports.close();
  });

  test('a connection from the address of a trunk needs no authentication', async () => {
    const timers = new VirtualTimers();
    const { transports, port } = await open('tcp', {
      timers,
      trunkOwner: (address) => (address === '127.0.0.1' ? 'a' : null),
    });
    (await connected(port)).write(options('TCP'));
    await vi.waitFor(() => expect(transports.counts.requests).toBe(1));
    timers.advance(31_000);
    expect(transports.counts.connections).toBe(1);
  });

  test('the trunks of one account have a share of connections; those beyond it give way like strangers (T39)', async () => {
    const timers = new VirtualTimers();
    const { transports, heard, port } = await open('tcp', {
      timers,
      limits: { perTrunkOwner: 2, connections: 4 },
      trunkOwner: (address) => (address.startsWith('127.0.2.') ? 'a' : address === '127.0.3.1' ? 'b' : null),
    });
    const sockets: Socket[] = [];
    for (const localAddress of ['127.0.2.1', '127.0.2.2', '127.0.2.3', '127.0.3.1', '127.0.4.1'])
      sockets.push(await connected(port, localAddress));
    const [first, second, third, other, stranger] = sockets;
    await vi.waitFor(() => expect(third?.destroyed).toBe(true));
    expect([first, second, other, stranger].map((socket) => socket?.destroyed)).toEqual(Array(4).fill(false));
    // A call over one beyond the share does not exceed it either, until another is closed.
    const late = await connected(port, '127.0.2.4');
    await vi.waitFor(() => expect(stranger?.destroyed).toBe(true));
    for (const socket of [first, second, other, late]) socket?.write(options('TCP'));
    await vi.waitFor(() => expect(heard.flows).toHaveLength(4));
    authenticate(transports, heard, null);
    timers.advance(31_000);
    expect(transports.counts.connections).toBe(3);
    await once(late, 'close');
    first?.destroy();
    await vi.waitFor(() => expect(transports.counts.connections).toBe(2));
    (await connected(port, '127.0.2.5')).write(options('TCP'));
    await vi.waitFor(() => expect(heard.flows).toHaveLength(5));
    timers.advance(31_000);
    expect(transports.counts.connections).toBe(3);
  });

  const authority = testCertificate('sip.example.org');

  test('handshakes that do not end count, and give way (T39)', async () => {
    const server = await open('tls', { tls: authority, limits: { connections: 2 } });
    const silent = [await connected(server.port), await connected(server.port)];
    const client = await open('tls', { tls: { ...authority, authorities: [authority.certificate] } });
    const remote = { address: '127.0.0.1', port: server.port };
    const flow = await client.transports.flowTo('tls', remote, 'sip.example.org');
    client.transports.send(flow, Buffer.from(options('TLS')));
    await vi.waitFor(() => expect(client.heard.messages[0]).toMatchObject({ status: 200 }));
    await vi.waitFor(() => expect(silent.map(({ destroyed }) => destroyed)).toEqual([true, false]));
    authenticate(server.transports, server.heard, 'agent');
    for (let more = 0; more < 5; more++) await connected(server.port);
    await vi.waitFor(() => expect(server.transports.counts.refusedConnections).toBe(6));
    expect(server.heard.closed).toEqual([]);
  });
});

/** A socket that was accepted, without a network. */
class FakeSocket extends EventEmitter {
  static ports = 0;
  readonly remoteAddress: string;
  readonly remotePort = ++FakeSocket.ports;
  readonly localPort = 5060;
  destroyed = false;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }
}

describe('the shares of accepted connections', () => {
  const accept = (limits: Partial<StreamLimits> = {}) => {
    const all = new AcceptedConnections(
      { ...STREAM_LIMITS, ...limits },
      (address) => (address === '192.0.2.1' ? 'account' : null),
      (address) => address === '192.0.2.2',
    );
    const take = (address: string) => {
      const socket = new FakeSocket(address);
      return { socket, accepted: all.take(socket as unknown as Socket, 0) };
    };
    return { all, take };
  };

  test('a trunk and an edge are authenticated by their address, a stranger is not', () => {
    const { take } = accept();
    const authenticated = (address: string) => take(address).accepted?.authenticated;
    expect(['192.0.2.1', '192.0.2.2', '192.0.2.3'].map(authenticated)).toEqual([true, true, false]);
  });

  test('an address has its share and not one more, and all that have gone are counted out', () => {
    const { all, take } = accept({ perAddress: 2 });
    const first = take('192.0.2.2');
    take('192.0.2.2');
    expect(take('192.0.2.2').accepted).toBeNull();
    expect([all.count, all.refused]).toEqual([2, 1]);
    first.socket.destroy();
    expect(all.count).toBe(1);
    expect(take('192.0.2.2').accepted).not.toBeNull();
  });

  test('what has no connection any more is forgotten', () => {
    const { all, take } = accept();
    const sockets = ['192.0.2.1', '192.0.2.3', '198.51.100.3'].map((address) => take(address).socket);
    expect(all.size, '3 addresses, 2 networks, the owner of a trunk').toBe(6);
    for (const socket of sockets) socket.destroy();
    expect(all.size).toBe(0);
  });
});
