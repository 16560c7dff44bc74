import { createSocket } from 'node:dgram';
import { readdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, it } from 'vitest';
import { sipName, tryPort } from './probe.ts';

/** As a server of this name answers it. */
const answerTo = (request: string, server: string): string => {
  const copied = ['Via', 'From', 'To', 'Call-ID', 'CSeq'].map(
    (name) => `${name}:${new RegExp(`^${name}:(.*)$`, 'm').exec(request)?.[1] ?? ''}`,
  );
  return ['SIP/2.0 200 OK', ...copied, `Server: ${server}`, 'Content-Length: 0', '', ''].join('\r\n');
};

async function udpServer(answer: (request: string) => string | null) {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', () => resolve()));
  let asked = 0;
  socket.on('message', (bytes, { port, address }) => {
    asked += 1;
    const text = answer(bytes.toString('latin1'));
    if (text !== null) socket.send(text, port, address);
  });
  return {
    port: socket.address().port,
    get asked() {
      return asked;
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

it('what answers OPTIONS by UDP is named, also where the first request is lost', async () => {
  let lost = false;
  const server = await udpServer((request) => {
    expect(request).toMatch(/^OPTIONS sip:127\.0\.0\.1:\d+ SIP\/2\.0\r\n/);
    if (lost) return answerTo(request, 'Other 1.0');
    lost = true;
    return null;
  });
  expect(await tryPort('udp', '127.0.0.1', server.port)).toBe('EADDRINUSE');
  expect(await sipName('udp', '127.0.0.1', server.port)).toBe('Other 1.0');
  expect(server.asked).toBe(2);
  await server.close();
  expect(await tryPort('udp', '127.0.0.1', server.port)).toBeNull();
});

it('a port that nothing answers on, or that answers what was not asked, has no name', async () => {
  const silent = await udpServer(() => null);
  expect(await sipName('udp', '127.0.0.1', silent.port, 200)).toBeNull();
  await silent.close();
  expect(await sipName('udp', '127.0.0.1', silent.port, 200)).toBeNull();
  const other = await udpServer((request) =>
    answerTo(request, 'X').replace(/Call-ID:.*/, 'Call-ID: another'),
  );
  expect(await sipName('udp', '127.0.0.1', other.port, 200)).toBeNull();
  await other.close();
});

it('an address that there is no way to has no name, and harms nobody', async () => {
  // Without permission to broadcast the system refuses to connect.
  expect(await sipName('udp', '255.255.255.255', 5060, 200)).toBeNull();
  expect(await sipName('tcp', '255.255.255.255', 5060, 200)).toBeNull();
});

it('what listens on :: is found where there is no IPv6, too', async () => {
  const server = await udpServer((request) => answerTo(request, 'By IPv4'));
  expect(await sipName('udp', '::', server.port, 300)).toBe('By IPv4');
  await server.close();
});

it.skipIf(process.platform !== 'linux')('a port that cannot be had leaves no file open', async () => {
  const server = await udpServer(() => null);
  await tryPort('udp', '127.0.0.1', server.port);
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  for (let time = 0; time < 50; time++) await tryPort('udp', '127.0.0.1', server.port);
  expect(open()).toBeLessThan(before + 10);
  await server.close();
});

it('what answers OPTIONS by TCP is named, however its bytes come', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const text = answerTo(bytes.toString('latin1'), 'Dialtree');
      socket.write(text.slice(0, 30));
      setTimeout(() => socket.write(text.slice(30)), 20);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  expect(await sipName('tcp', '127.0.0.1', port)).toBe('Dialtree');
  await new Promise((resolve) => server.close(resolve));
  expect(await sipName('tcp', '127.0.0.1', port)).toBeNull();
});

it('an answer without an end is given up', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('x'.repeat(20_000)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  // Not when its time is over: that is after this test's.
  expect(await sipName('tcp', '127.0.0.1', port, 600_000)).toBeNull();
  await new Promise((resolve) => server.close(resolve));
});
