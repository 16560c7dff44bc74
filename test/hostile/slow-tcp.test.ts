// TCP abused (T14): a message that never ends, one that is too big, and two thousand connections that say nothing.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { TONE_HZ, TONE_NUMBER, TONE_SERVICE } from './support/audio.ts';
import { openFiles } from './support/metrics.ts';
import { requestText } from './support/sip-probe.ts';
import { tcpPort } from './support/stranger.ts';

const IDLE = 2_000;
/** Connections of one address and of one network are limited, so these come from many. */
const PER_ADDRESS = 100;

interface Connection {
  readonly socket: Socket;
  isClosed: boolean;
  text: string;
}

describe('TCP abused', () => {
  let pbx: Pbx;
  beforeAll(async () => {
    pbx = await startPbx(TONE_SERVICE);
  });
  afterAll(() => pbx?.remove());

  function open(localAddress = '127.0.0.1'): Promise<Connection> {
    const socket = connect({ port: tcpPort(pbx), host: pbx.sip.host, localAddress });
    const connection: Connection = { socket, isClosed: false, text: '' };
    socket.on('error', () => undefined);
    socket.on('close', () => {
      connection.isClosed = true;
    });
    socket.on('data', (chunk) => {
      connection.text += chunk.toString('latin1');
    });
    return new Promise((resolve) => socket.once('connect', () => resolve(connection)));
  }

  const closes = (connection: Connection): Promise<void> =>
    expect.poll(() => connection.isClosed, { timeout: 60_000 }).toBe(true);

  const optionsText = (): string =>
    requestText('OPTIONS', pbx.sip, { host: '127.0.0.1', port: 5_060 }).replace('/UDP', '/TCP');

  it('a message that takes over ten seconds is not waited for', async () => {
    const slow = await open();
    // At a byte each 200 ms it would take more than a minute.
    const text = optionsText().replace('Max-Forwards', `X: ${'y'.repeat(300)}\r\nMax-Forwards`);
    const drip = setInterval(() => slow.socket.write(text.charAt(slow.socket.bytesWritten) || 'x'), 200);
    await closes(slow);
    clearInterval(drip);
    // Neither at once, nor only when it was whole.
    expect(slow.socket.bytesWritten).toBeGreaterThan(20);
    expect(slow.socket.bytesWritten).toBeLessThan(text.length);
  });

  it.each([
    [
      'a header section of 20 kB',
      (text: string) => text.replace('Max-Forwards', `X: ${'y'.repeat(20_000)}\r\nMax-Forwards`),
      513,
    ],
    ['a body of 100 kB', (text: string) => text.replace('Content-Length: 0', 'Content-Length: 100000'), 413],
    ['a line without an end', () => 'x'.repeat(100_000), null],
  ] as const)('%s is refused and closed', async (_, change, code) => {
    const big = await open();
    big.socket.write(change(optionsText()));
    await closes(big);
    if (code === null) expect(big.text).not.toContain('200 OK');
    else expect(big.text).toMatch(/^SIP\/2\.0 (413|513) /);
  });

  it(`beside ${IDLE} connections that say nothing, a call is set up over UDP and TCP`, async () => {
    const before = openFiles(pbx);
    const all: Connection[] = [];
    for (let count = 0; count < IDLE; count += PER_ADDRESS) {
      const address = `127.88.${count / PER_ADDRESS}.${1 + (process.pid % 250)}`;
      all.push(...(await Promise.all(Array.from({ length: PER_ADDRESS }, () => open(address)))));
    }
    // A connection is made before the service has taken it.
    await expect.poll(() => openFiles(pbx) - before).toBeGreaterThan(IDLE * 0.95);
    for (const transport of ['udp', 'tcp'] as const) {
      const port = transport === 'udp' ? pbx.sip.port : tcpPort(pbx);
      const phone = await Phone.open({ server: { host: pbx.sip.host, port }, transport });
      const call = await phone.call(TONE_NUMBER);
      await call.answered();
      await call.hears(TONE_HZ);
      await call.hangUp();
      phone.close();
    }
    // They were open all the while.
    expect(openFiles(pbx) - before).toBeGreaterThan(IDLE * 0.95);
    for (const { socket } of all) socket.destroy();
    await expect.poll(() => openFiles(pbx)).toBeLessThanOrEqual(before + 5);
  });
});
