import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as tlsConnect } from 'node:tls';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CaptureServer, readHep } from '../../../test/support/hep.ts';
import { cleanUp, cleanUpAll, connected, open, options } from '../testing/open-transports.ts';
import { testCertificate } from '../testing/test-certificate.ts';
import { addressBytes } from './address-bytes.ts';
import { HepCapture } from './hep.ts';
import { packetWriter } from './hep-packet.ts';
import { withoutSecrets } from './without-secrets.ts';

afterEach(cleanUpAll);

async function capturing(): Promise<{ server: CaptureServer; capture: HepCapture }> {
  const server = await CaptureServer.open();
  cleanUp.push(() => server.close());
  const agent = { id: 42, password: 'open sesame', name: 'node-1' };
  const capture = new HepCapture({ host: 'localhost', port: server.port, onFailure: () => {}, ...agent });
  // `localhost` is looked up first.
  await sleep(100);
  return { server, capture };
}

describe('every message is captured', () => {
  test('over UDP, received and sent, with both addresses and its Call-ID', async () => {
    const { server, capture } = await capturing();
    const { port } = await open('udp', { capture });
    const phone = createSocket('udp4');
    cleanUp.push(() => phone.close());
    const beforeMs = Date.now();
    phone.send(options('UDP'), port, '127.0.0.1');
    await once(phone, 'message');
    await vi.waitFor(() => expect(server.messages).toHaveLength(2));
    const afterMs = Date.now();
    const own = `127.0.0.1 ${port}`;
    const theirs = `127.0.0.1 ${phone.address().port}`;
    const common = {
      family: 2,
      ipProtocol: 17,
      protocol: 1,
      agent: 42,
      agentName: 'node-1',
      correlationId: 'c',
    };
    expect(server.messages[0]).toMatchObject({ ...common, from: theirs, to: own, password: 'open sesame' });
    expect(server.messages[0]?.payload).toBe(options('UDP'));
    expect(server.messages[1]).toMatchObject({ ...common, from: own, to: theirs });
    expect(server.ladder[1]).toBe('SIP/2.0 200 OK');
    // Its fine clock and the wall clock are 2 ms apart at most.
    for (const { atMs } of server.messages) {
      expect(atMs).toBeGreaterThan(beforeMs - 3);
      expect(atMs).toBeLessThan(afterMs + 3);
    }
    expect(server.messages[1]?.atMs).toBeGreaterThan(server.messages[0]?.atMs ?? 0);
    expect(capture.counts).toEqual({ sent: 2, dropped: 0 });
  });

  test('over TCP and, in clear, over TLS', async () => {
    const { server, capture } = await capturing();
    const { port } = await open('tcp', { capture });
    (await connected(port)).write(options('TCP'));
    await vi.waitFor(() =>
      expect(server.ladder).toEqual([expect.stringMatching(/^OPTIONS /), 'SIP/2.0 200 OK']),
    );
    expect(server.messages[0]).toMatchObject({ ipProtocol: 6 });

    const other = await capturing();
    const { certificate, key } = testCertificate();
    const tls = await open('tls', { capture: other.capture, tls: { certificate, key } });
    const socket = tlsConnect({ port: tls.port, host: '127.0.0.1', rejectUnauthorized: false });
    cleanUp.push(() => socket.destroy());
    await once(socket, 'secureConnect');
    socket.write(options('TLS'));
    await vi.waitFor(() => expect(other.server.messages).toHaveLength(2));
    expect(other.server.messages[0]?.payload).toBe(options('TLS'));
  });

  test('also a malformed one and its refusal, and none that the guard drops', async () => {
    const { server, capture } = await capturing();
    let accepts = true;
    const guard = {
      accept: () => accepts,
      acceptWeb: () => true,
      acceptAgent: () => true,
      isBanned: () => true,
    };
    const { port } = await open('udp', { capture, guard });
    const phone = createSocket('udp4');
    cleanUp.push(() => phone.close());
    phone.send(options('UDP').replace('CSeq: 1 OPTIONS', 'CSeq: x'), port, '127.0.0.1');
    await vi.waitFor(() => expect(server.ladder[1]).toMatch(/^SIP\/2\.0 400 /));
    accepts = false;
    phone.send(options('UDP'), port, '127.0.0.1');
    await sleep(50);
    expect(server.messages).toHaveLength(2);
  });
});

test('SIP goes on when the capture server is away or has no address', async () => {
  const failures: string[] = [];
  const onFailure = (reason: string): void => void failures.push(reason);
  const nobody = new HepCapture({
    host: 'capture.invalid',
    port: 9060,
    id: 1,
    password: undefined,
    name: undefined,
    onFailure,
  });
  const { port } = await open('udp', { capture: nobody });
  const phone = createSocket('udp4');
  cleanUp.push(() => phone.close());
  phone.send(options('UDP'), port, '127.0.0.1');
  await once(phone, 'message');
  expect(nobody.counts).toEqual({ sent: 0, dropped: 2 });
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  const { server, capture } = await capturing();
  server.close();
  const flow = {
    protocol: 'udp',
    local: { address: '127.0.0.1', port: 1 },
    remote: { address: '127.0.0.1', port: 2 },
  } as const;
  for (let i = 0; i < 100; i++) capture.sent(Buffer.from(options('UDP')), flow, '127.0.0.1');
  await sleep(20);
  expect(capture.counts.sent + capture.counts.dropped).toBeGreaterThanOrEqual(100);
  capture.close();
  capture.sent(Buffer.from(options('UDP')), flow, '127.0.0.1');
});

test('any payload and any address come out as they went in; what no datagram holds is left out', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 3000 }),
      fc.ipV6(),
      fc.ipV4(),
      fc.boolean(),
      fc.string(),
      (bytes, six, four, isSix, callId) => {
        const address = isSix ? six : four;
        const end = { address, port: 65_535 };
        const message = {
          protocol: 'tls',
          source: end,
          destination: end,
          atUs: 1_700_000_000_123_456,
          callId,
        } as const;
        const packet = packetWriter({ id: 4_294_967_295, password: undefined, name: undefined })({
          ...message,
          payload: Buffer.from(bytes),
        });
        const read = readHep(packet ?? Buffer.alloc(0));
        expect(read.payload).toBe(Buffer.from(bytes).toString('latin1'));
        expect(read.microseconds).toBe(123_456);
        expect(read.agent).toBe(4_294_967_295);
        expect(read.family).toBe(isSix ? 10 : 2);
        if (!isSix) expect(read.from).toBe(`${four} 65535`);
      },
    ),
    { numRuns: 300 },
  );
  expect(Buffer.from(addressBytes('2001:db8::7:192.0.2.1')).toString('hex')).toBe(
    '20010db80000000000000007c0000201',
  );
  const end = { address: '127.0.0.1', port: 1 };
  const large = {
    protocol: 'tcp',
    source: end,
    destination: end,
    atUs: 1,
    callId: 'c',
    payload: Buffer.alloc(65_480),
  } as const;
  expect(packetWriter({ id: 1, password: undefined, name: undefined })(large)).toBeNull();
});

describe('secrets', () => {
  const masked = (text: string): string =>
    withoutSecrets(Buffer.from(text, 'latin1')).payload.toString('latin1');

  test('digests of passwords are masked, whatever the spelling', () => {
    const digest = '0123456789abcdef0123456789abcdef';
    for (const header of ['Authorization', 'PROXY-AUTHORIZATION', 'authorization ']) {
      const text = options('UDP', `${header}: Digest username="1001", nonce="aa", response="${digest}"\r\n`);
      expect(masked(text)).toBe(text.replace(digest, 'x'.repeat(32)));
    }
    const info = options('UDP', `Authentication-Info: rspauth="${digest}"\r\n`);
    expect(masked(info)).not.toContain(digest);
    const bare = options('UDP', `Authorization: Digest RESPONSE = ${digest}\r\n`);
    expect(masked(bare)).not.toContain(digest);
  });

  test('keys pressed by INFO, keys of SRTP and passwords of ICE are masked; other messages are not copied', () => {
    const body = 'Signal=5\r\nDuration=160\r\n';
    const info = options('UDP').replaceAll('OPTIONS', 'INFO') + body;
    expect(masked(info)).toBe(`${info.slice(0, -body.length)}xxxxxxxx\r\nxxxxxxxxxxxx\r\n`);
    const sdp = `${options('UDP')}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2VjcmV0|2^20\r\n`;
    expect(masked(sdp)).toContain('inline:xxxxxxxx|2^20');
    const ice = `${options('UDP')}a=ice-ufrag:EsAw\r\na=ice-pwd:bP+XJMM09aR8\r\n`;
    expect(masked(ice)).toContain('a=ice-ufrag:EsAw\r\na=ice-pwd:xxxxxxxxxxxx\r\n');
    const plain = Buffer.from(options('UDP'));
    expect(withoutSecrets(plain)).toEqual({ payload: plain, callId: 'c' });
    expect(withoutSecrets(plain).payload).toBe(plain);
    expect(withoutSecrets(Buffer.from('OPTIONS sip:a SIP/2.0\r\ni: short\r\n\r\n')).callId).toBe('short');
  });
});

test.each([
  ['lines that end in LF alone', (text: string) => text.replaceAll('\r\n', '\n')],
  ['empty lines before it', (text: string) => `\r\n\r\n${text}`],
  ['its empty line in LF alone', (text: string) => text.replace('\r\n\r\n', '\r\n\n')],
])('keys in a message with %s are masked, as it is parsed', (_, changed) => {
  const info = changed(`${options('UDP').replaceAll('OPTIONS', 'INFO')}Signal=5\r\nDuration=160\r\n`);
  const sdp = changed(`${options('UDP')}a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2VjcmV0|2^20\r\n`);
  const masked = (text: string): string => withoutSecrets(Buffer.from(text)).payload.toString();
  expect(masked(info)).toBe(info.replace('Signal=5', 'x'.repeat(8)).replace('Duration=160', 'x'.repeat(12)));
  expect(masked(sdp)).toBe(sdp.replace('c2VjcmV0', 'x'.repeat(8)));
});

test('a capture that was closed before its server was found sends nothing', async () => {
  const { server } = await capturing();
  const make = () =>
    new HepCapture({
      host: '127.0.0.1',
      port: server.port,
      id: 1,
      password: undefined,
      name: undefined,
      onFailure: () => {},
    });
  const closed = make();
  closed.close();
  const later = make();
  cleanUp.push(() => later.close());
  const flow = {
    protocol: 'udp',
    local: { address: '127.0.0.1', port: 1 },
    remote: { address: '127.0.0.1', port: 2 },
  } as const;
  await vi.waitFor(() => {
    later.sent(Buffer.from(options('UDP')), flow, '127.0.0.1');
    expect(later.counts.sent).toBe(1);
  });
  closed.sent(Buffer.from(options('UDP')), flow, '127.0.0.1');
  expect(closed.counts).toEqual({ sent: 0, dropped: 1 });
});

test('the times of messages follow a clock that was set', async () => {
  const { server, capture } = await capturing();
  cleanUp.push(() => capture.close());
  const flow = {
    protocol: 'udp',
    local: { address: '127.0.0.1', port: 1 },
    remote: { address: '127.0.0.1', port: 2 },
  } as const;
  vi.spyOn(Date, 'now').mockReturnValue(1_000_000_000_000);
  cleanUp.push(() => vi.restoreAllMocks());
  capture.sent(Buffer.from(options('UDP')), flow, '127.0.0.1');
  await vi.waitFor(() => expect(server.messages).toHaveLength(1));
  expect(server.messages[0]?.atMs).toBe(1_000_000_000_000);
});
