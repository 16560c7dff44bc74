// T9, amplification: what a stranger's single packet brings back. The stranger has an address of this machine that is not
// loopback, so the service takes it for somebody from outside.
import { createSocket, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pbx, startPbx } from '../support/pbx.ts';
import { nothingLeft } from './support/observe.ts';

/** Longer than any timer of a transaction. */
const WAIT_MS = 35_000;
const address = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

if (address === undefined) {
  const missing = 'This machine has no address but loopback: the test of strangers did not run.';
  console.error(`\n*** ${missing} ***\n`);
  it('needs an address that is not loopback', ({ skip }) => {
    if (process.env['CI'] === 'true') throw new Error(missing);
    skip(missing);
  });
}

describe.runIf(address !== undefined)('a stranger', () => {
  let pbx: Pbx;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    pbx = await startPbx({
      recordings: { prompt: { hz: 540, ms: 3_000 } },
      menus: { main: {} },
      numbers: { '100': 'ivr||main' },
      env: { SIP_HOST: address ?? '' },
    });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.close();
    await pbx.remove();
  });

  async function listen(): Promise<{ socket: Socket; port: number; came: Buffer[] }> {
    const socket = createSocket('udp4');
    sockets.push(socket);
    const came: Buffer[] = [];
    socket.on('message', (message) => came.push(message));
    await new Promise<void>((resolve) => socket.bind(0, address, resolve));
    return { socket, port: socket.address().port, came };
  }

  describe.concurrent('sends one packet and waits', () => {
    it.each([
      { method: 'INVITE', status: '401', most: 1.5 },
      { method: 'REGISTER', status: '401', most: 2 },
      { method: 'SUBSCRIBE', status: '401', most: 2 },
      // Met with silence: who scans for telephones finds none.
      { method: 'OPTIONS', status: null, most: 0 },
    ])('$method: one packet back at most, and a small one', async ({ method, status, most }) => {
      const { socket, port, came } = await listen();
      const victim = await listen();
      const request = Buffer.from(requestOf(method, port, victim.port, pbx.sip));
      socket.send(request, pbx.sip.port, pbx.sip.host);
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      const first = came.map((message) => message.toString('latin1').split(' ')[1]);
      expect(first).toEqual(status === null ? [] : [status]);
      for (const answer of came) expect(answer.length).toBeLessThanOrEqual(most * request.length);
      expect(victim.came).toEqual([]);
    });
  });

  it('leaves nothing behind', () => nothingLeft(pbx));
});

function requestOf(
  method: string,
  port: number,
  victimPort: number,
  server: { readonly host: string; readonly port: number },
): string {
  const sdp = [
    'v=0',
    `o=- 1 1 IN IP4 ${address}`,
    's=-',
    `c=IN IP4 ${address}`,
    't=0 0',
    `m=audio ${victimPort} RTP/AVP 0`,
    '',
  ].join('\r\n');
  const body = method === 'INVITE' ? sdp : '';
  return [
    `${method} sip:100@${server.host}:${server.port} SIP/2.0`,
    `Via: SIP/2.0/UDP ${address}:${port};branch=z9hG4bK-stranger-${port};rport`,
    'Max-Forwards: 70',
    `From: <sip:stranger@${address}>;tag=${port}`,
    `To: <sip:100@${server.host}>`,
    `Call-ID: stranger-${port}@${address}`,
    `CSeq: 1 ${method}`,
    `Contact: <sip:stranger@${address}:${port}>`,
    ...(method === 'SUBSCRIBE' ? ['Event: presence'] : []),
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
