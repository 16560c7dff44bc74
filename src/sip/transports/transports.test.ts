import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  authenticate,
  cleanUp,
  cleanUpAll,
  connected,
  listenOn,
  open,
  options,
} from '../testing/open-transports.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { VirtualTimers } from '../testing/virtual-timers.ts';
import { ListenError } from './listen.ts';

afterEach(cleanUpAll);

async function datagramSocket(host = '127.0.0.1'): Promise<DatagramSocket> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.bind(0, host);
  await once(socket, 'listening');
  cleanUp.push(() => socket.close());
  return socket;
}

async function ask(socket: DatagramSocket, text: string, port: number, host = '127.0.0.1'): Promise<string> {
  const answer = once(socket, 'message');
  socket.send(text, port, host);
  return String((await answer)[0]);
}

async function hasIPv6(): Promise<boolean> {
  const probe = createSocket('udp6').unref();
  const present = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.bind(0, '::1', () => resolve(true));
  });
  probe.close();
  return present;
}

describe('UDP', () => {
  test('answers to the source, and tells it with received and rport (RFC 3581 §4)', async () => {
    const { heard, port } = await open('udp');
    const socket = await datagramSocket();
    const answer = await ask(socket, options('UDP'), port);
    expect(answer).toMatch(/^SIP\/2\.0 200 OK\r\n/);
    expect(answer).toContain(`rport=${socket.address().port}`);
    expect(answer).toContain('received=127.0.0.1');
    expect(heard.flows[0]).toMatchObject({
      protocol: 'udp',
      connection: 0,
      remote: { address: '127.0.0.1', port: socket.address().port },
    });
  });

  test('answers what is malformed with a usable Via, drops the rest, and goes on', async () => {
    const { transports, heard, port } = await open('udp');
    const socket = await datagramSocket();
    socket.send('\r\n\r\n', port, '127.0.0.1');
    socket.send('utter nonsense without any end', port, '127.0.0.1');
    const answer = await ask(socket, options('UDP').replace('CSeq: 1', 'CSeq: x'), port);
    expect(answer).toMatch(/^SIP\/2\.0 400 /);
    expect(await ask(socket, options('UDP'), port)).toMatch(/^SIP\/2\.0 200 /);
    expect(heard.messages).toHaveLength(1);
    expect(transports.counts).toMatchObject({ malformed: 2, requests: 1 });
  });

  test('drops what the guard refuses without a word', async () => {
    const asked: string[] = [];
    const guard = {
      accept: (address: string) => asked.push(address) !== 1,
      acceptWeb: () => true,
      acceptAgent: (_address: string, agent: string) => agent !== 'friendly-scanner',
      isBanned: () => false,
    };
    const { transports, heard, port } = await open('udp', { guard });
    const socket = await datagramSocket();
    socket.send(options('UDP'), port, '127.0.0.1');
    socket.send(options('UDP', 'User-Agent: friendly-scanner\r\n'), port, '127.0.0.1');
    await ask(socket, options('UDP', 'User-Agent: a phone\r\n'), port);
    expect(asked).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
    expect(heard.messages).toHaveLength(1);
    expect(transports.counts.dropped).toBe(2);
  });

  test('speaks IPv6, with brackets in the Via', async ({ skip }) => {
    skip(!(await hasIPv6()), 'this machine has no IPv6');
    const { transports, heard, port } = await open('udp', { listen: [listenOn('udp', '::1')] });
    const socket = await datagramSocket('::1');
    expect(await ask(socket, options('UDP'), port, '::1')).toContain('received=::1');
    const flow = heard.flows[0];
    if (flow === undefined) throw new Error('nothing was heard');
    expect(transports.sentBy(flow)).toEqual({ host: '[::1]', port });
  });

  test('hears IPv4 on the IPv6 socket of every interface, and answers it', async ({ skip }) => {
    skip(!(await hasIPv6()), 'this machine has no IPv6');
    const { transports, heard, port } = await open('udp', { listen: [listenOn('udp', '::')] });
    const socket = await datagramSocket();
    expect(await ask(socket, options('UDP'), port)).toContain('received=127.0.0.1');
    const flow = heard.flows[0];
    if (flow === undefined) throw new Error('nothing was heard');
    expect(flow.remote.address).toBe('127.0.0.1');
    expect(transports.sentBy(flow).host).toBe('127.0.0.1');
  });

  test('on every interface, names the address that reaches the peer, or the advertised one to peers elsewhere', async () => {
    const listen = [listenOn('udp', '0.0.0.0')];
    const { transports, port } = await open('udp', { listen });
    const flow = await transports.flowTo('udp', { address: '127.0.0.1', port: 5060 });
    expect(transports.sentBy(flow)).toEqual({ host: '127.0.0.1', port });
    const nat = await open('udp', { listen, advertised: '203.0.113.7' });
    expect(nat.transports.sentBy(flow).host).toBe('127.0.0.1');
    const elsewhere = { ...flow, remote: { address: '198.51.100.1', port: 5060 } };
    expect(nat.transports.sentBy(elsewhere).host).toBe('203.0.113.7');
    // An edge reaches us where we are, without the NAT.
    const edges = await open('udp', {
      listen,
      advertised: '203.0.113.7',
      isEdge: (address) => address === '198.51.100.1',
    });
    expect(edges.transports.sentBy(elsewhere).host).not.toBe('203.0.113.7');
    await expect(transports.flowTo('udp', { address: '::1', port: 5060 })).rejects.toThrow('no UDP socket');
  });

  test('tells when the system refuses a datagram', async () => {
    const { transports } = await open('udp');
    const flow = await transports.flowTo('udp', { address: '127.0.0.1', port: 5060 });
    const failed = vi.fn();
    expect(transports.send(flow, Buffer.alloc(70_000), failed)).toBe(true);
    await vi.waitFor(() => expect(failed).toHaveBeenCalledOnce());
  });

  test('names the setting when the port is taken', async () => {
    const { port } = await open('udp');
    const second = open('udp', { listen: [listenOn('tcp'), listenOn('udp', '127.0.0.1', port)] });
    await expect(second).rejects.toBeInstanceOf(ListenError);
    await expect(second).rejects.toThrow(`UDP port ${port} of 127.0.0.1 is taken by another program.`);
    await expect(second).rejects.toThrow('set SIP_PORT to a free port');
    await expect(open('udp', { listen: [listenOn('udp', '192.0.2.1')] })).rejects.toThrow('Set SIP_HOST');
  });
});

describe('TCP', () => {
  test('answers on the same connection, several messages in one piece and one in several', async () => {
    const { heard, port } = await open('tcp');
    const socket = await connected(port);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    const message = options('TCP');
    socket.write(message + message + message.slice(0, 40));
    await vi.waitFor(() => expect(heard.messages).toHaveLength(2));
    socket.write(message.slice(40));
    await vi.waitFor(() => expect(text.match(/SIP\/2\.0 200 OK/g)).toHaveLength(3));
    expect(new Set(heard.flows.map(({ connection }) => connection)).size).toBe(1);
  });

  test('answers the keep-alive of RFC 5626 §3.5.1', async () => {
    const { port } = await open('tcp');
    const socket = await connected(port);
    const pong = once(socket, 'data');
    socket.write('\r\n\r\n');
    expect(String((await pong)[0])).toBe('\r\n');
  });

  test('connects, uses the connection again, and tells when it is gone', async () => {
    const a = await open('tcp');
    const b = await open('tcp');
    const remote = { address: '127.0.0.1', port: b.port };
    const [first, second] = await Promise.all([
      a.transports.flowTo('tcp', remote),
      a.transports.flowTo('tcp', remote),
    ]);
    expect(second).toBe(first);
    expect(await a.transports.flowTo('tcp', remote)).toBe(first);
    expect(a.transports.sentBy(first)).toEqual({ host: '127.0.0.1', port: a.port });
    expect(a.transports.send(first, Buffer.from(options('TCP')))).toBe(true);
    await vi.waitFor(() => expect(a.heard.messages[0]).toMatchObject({ kind: 'response', status: 200 }));
    const back = b.heard.flows[0];
    if (back === undefined) throw new Error('nothing was heard');
    expect(await b.transports.flowTo('tcp', back.remote)).toBe(back);
    await b.transports.close();
    await vi.waitFor(() => expect(a.heard.closed).toEqual([first]));
    expect(a.transports.send(first, Buffer.from('late'))).toBe(false);
    await expect(a.transports.flowTo('tcp', remote)).rejects.toThrow('ECONNREFUSED');
    expect(a.transports.counts.connections).toBe(0);
  });

  test.each([
    ['a header section over 16 kB', `X: ${'a'.repeat(20_000)}\r\n`, 'SIP/2.0 513 '],
    ['a body over 64 kB', 'L: 70000\r\n', 'SIP/2.0 413 '],
  ])('answers and closes at %s', async (_name, extra, expected) => {
    const { transports, heard, port } = await open('tcp');
    const socket = await connected(port);
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    const closed = once(socket, 'close');
    const message = options('TCP', extra);
    socket.write(extra.startsWith('L:') ? message.replace('Content-Length: 0\r\n', '') : message);
    await closed;
    expect(text).toContain(expected);
    // RFC 3261 §18.2.1, RFC 3581 §4: of what cannot be framed, too.
    expect(text).toContain('received=127.0.0.1');
    expect(text).toMatch(/;rport=\d+/);
    expect(heard.messages).toEqual([]);
    await vi.waitFor(() => expect(transports.counts.connections).toBe(0));
  });

  test('has room for another connection of its own when one has ended', async () => {
    const { transports } = await open('tcp', { limits: { connections: 1 } });
    const [first, second] = [await open('tcp'), await open('tcp')];
    await transports.flowTo('tcp', { address: '127.0.0.1', port: first.port });
    const another = () => transports.flowTo('tcp', { address: '127.0.0.1', port: second.port });
    await expect(another()).rejects.toThrow('too many connections');
    await first.transports.close();
    await vi.waitFor(another);
  });

  test('closes a connection whose message does not end in 10 s, however it trickles', async () => {
    const timers = new VirtualTimers();
    const { transports, port } = await open('tcp', { timers });
    const socket = await connected(port);
    const message = options('TCP');
    socket.write(message + message.slice(0, 20));
    await vi.waitFor(() => expect(transports.counts.requests).toBe(1));
    timers.advance(9_000);
    socket.write(message.slice(20, 60));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(transports.counts.connections).toBe(1);
    timers.advance(1_001);
    expect(transports.counts.connections).toBe(0);
    await once(socket, 'close');
    expect(timers.count).toBe(0);
  });

  test('closes a connection that says nothing, and one that has fallen silent', async () => {
    const timers = new VirtualTimers();
    const { transports, heard, port } = await open('tcp', { timers });
    await connected(port);
    const talker = await connected(port);
    talker.write(options('TCP'));
    await vi.waitFor(() => expect(transports.counts).toMatchObject({ requests: 1, connections: 2 }));
    authenticate(transports, heard, 'agent');
    timers.advance(31_000);
    expect(transports.counts.connections).toBe(1);
    timers.advance(3_500_000);
    expect(transports.counts.connections).toBe(1);
    timers.advance(200_000);
    expect(transports.counts.connections).toBe(0);
    expect(timers.count).toBe(0);
  });

  test('gives up on a peer that does not read', async () => {
    const deaf = createServer((socket) => void socket.pause().on('error', () => {}));
    deaf.listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const address = deaf.address();
    if (address === null || typeof address === 'string') throw new Error('no address');
    cleanUp.push(() => deaf.close());
    const { transports, heard } = await open('tcp');
    const flow = await transports.flowTo('tcp', { address: '127.0.0.1', port: address.port });
    const piece = Buffer.alloc(64 * 1024);
    let sent = 0;
    while (sent < 1_000 && transports.send(flow, piece)) {
      sent++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(1_000);
    expect(heard.closed).toEqual([flow]);
  });

  test('has so many connections per address and not one more: the oldest give way', async () => {
    const { transports, port } = await open('tcp', { limits: { perAddress: 100 } });
    const sockets: Socket[] = [];
    cleanUp.push(() => {
      for (const socket of sockets) socket.destroy();
    });
    let ended = 0;
    for (let i = 0; i < 2_000; i++) {
      const socket = connect({ port, host: '127.0.0.1' }).resume();
      socket.on('error', () => {});
      socket.on('close', () => ended++);
      sockets.push(socket);
      // The system's own queue of connections is short.
      if (i % 100 === 99) await vi.waitFor(() => expect(ended).toBe(i - 99), { interval: 5 });
    }
    expect(transports.counts).toMatchObject({ connections: 100, refusedConnections: 1_900 });
    const living = sockets.find((socket) => !socket.destroyed);
    living?.destroy();
    await vi.waitFor(() => expect(transports.counts.connections).toBe(99));
    const next = await connected(port);
    const answer = once(next, 'data');
    next.write(options('TCP'));
    expect(String((await answer)[0])).toMatch(/^SIP\/2\.0 200 /);
  }, 30_000);
});

describe('TLS', () => {
  const authority = testCertificate('sip.example.org');

  test('carries messages both ways when the name is in the certificate (RFC 5922)', async () => {
    const server = await open('tls', { tls: authority });
    const client = await open('tls', { tls: { ...authority, authorities: [authority.certificate] } });
    const remote = { address: '127.0.0.1', port: server.port };
    const flow = await client.transports.flowTo('tls', remote, 'sip.example.org');
    client.transports.send(flow, Buffer.from(options('TLS')));
    await vi.waitFor(() => expect(client.heard.messages[0]).toMatchObject({ status: 200 }));
    expect(server.heard.flows[0]?.protocol).toBe('tls');
    const byAddress = await client.transports.flowTo('tls', remote);
    expect(byAddress).not.toBe(flow);
  });

  test('refuses a certificate for another name, and one that nobody vouches for', async () => {
    const server = await open('tls', { tls: authority });
    const remote = { address: '127.0.0.1', port: server.port };
    const client = await open('tcp', { tls: { authorities: [authority.certificate] } });
    await expect(client.transports.flowTo('tls', remote, 'other.example.org')).rejects.toThrow(
      'tls to 127.0.0.1',
    );
    const stranger = await open('tcp');
    await expect(stranger.transports.flowTo('tls', remote, 'sip.example.org')).rejects.toThrow('self');
    expect(server.heard.messages).toEqual([]);
  });

  test('takes no plain text and keeps nothing of whoever tries', async () => {
    const server = await open('tls', { tls: authority });
    const socket = await connected(server.port);
    const closed = once(socket, 'close');
    socket.write(options('TCP'));
    await closed;
    expect(server.transports.counts.connections).toBe(0);
  });

  test('is not opened without a certificate, in words that name the setting', async () => {
    await expect(open('tls')).rejects.toThrow(/SIP_PORT.*certificate/);
  });
});
