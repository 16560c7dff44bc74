// What strangers learn of SIP users, and accounts of internal addresses (T42).
import { createServer, type Server } from 'node:net';
import { expect, it } from 'vitest';
import { requestText } from '../hostile/support/sip-probe.ts';
import { Stranger, wait } from '../hostile/support/stranger.ts';
import { figure } from '../support/figure.ts';
import { PASSWORD, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { readSip } from '../support/phone/sip-text.ts';
import { call, runProcess } from '../support/service.ts';

it('T42: SIP users that exist, that do not, and that require SHA-256 get the same challenge', async () => {
  const pbx = await startPbx({ agents: { '1001': {}, '1002': { sip_sha256: true } } });
  const stranger = await Stranger.open();
  try {
    const challenges = [];
    for (const user of ['1001', '1002', '9999']) {
      for (const method of ['REGISTER', 'INVITE']) {
        stranger.received.length = 0;
        const headers = [
          ['Authorization', 'Digest username="x", realm="dialtree", nonce="x", uri="sip:x", response="x"'],
        ] as const;
        const more = method === 'INVITE' ? { headers } : {};
        await stranger.send(
          requestText(method, pbx.sip, stranger, { user, fromUser: user, ...more }),
          pbx.sip,
        );
        await expect.poll(() => stranger.received.length).toBeGreaterThan(0);
        const response = readSip(stranger.received[0]?.bytes.toString('latin1') ?? '');
        const shown = response?.headers
          .filter(([name]) => name === 'www-authenticate')
          .map(([, value]) => value);
        challenges.push(`${response?.status} ${shown?.join().replace(/nonce="[^"]*"/g, 'nonce')}`);
      }
    }
    expect(new Set(challenges).size, challenges.join('\n')).toBe(1);
    for (const user of ['1001', '1002']) {
      const phone = await Phone.open({ user, password: PASSWORD, server: pbx.sip });
      expect(await phone.register(), user).toBe(200);
      phone.close();
    }
    figure('T42', 'challenges to a known user, an unknown one and one with required SHA-256: 1 form');
  } finally {
    stranger.close();
    await pbx.remove();
  }
});

/** A port of this machine that takes TCP connections, and counts them. */
async function listener(): Promise<{ server: Server; port: number; connections: () => number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    server,
    port: typeof address === 'object' && address ? address.port : 0,
    connections: () => connections,
  };
}

it('T42: an account without private networks reaches no internal address by a trunk, and learns nothing of its ports', async () => {
  const pbx = await startPbx();
  const open = await listener();
  try {
    const made = await runProcess(['account', 'create', 'intruder'], { dataDir: pbx.dataDir });
    const token = made.out.trim();
    const ask = (method: string, path: string, body?: object) =>
      call(pbx.url, method, path, { token, ...(body ? { body } : {}) });
    const trunk = (name: string, host: string, port: number, transport: string) =>
      ask('POST', '/v1/trunk', {
        name,
        host,
        port,
        transport,
        addresses: [],
        username: 'x',
        password: 'x',
        register: true,
      });
    for (const host of ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'])
      expect((await trunk('numbers', host, open.port, 'tcp')).status, host).toBe(400);
    // A name is looked up when it is used.
    const named = [
      await trunk('open', 'localhost', open.port, 'tcp'),
      await trunk('closed', 'localhost', 9, 'tcp'),
      await trunk('silent', 'localhost', open.port, 'udp'),
      await trunk('unknown', 'nowhere.invalid', open.port, 'udp'),
    ];
    const problems = new Set<string>();
    for (let looks = 0; looks < 25; looks += 1) {
      for (const { headers } of named) {
        const { json } = await ask('GET', `${headers.get('location')}/state`);
        expect(json.registered).not.toBe(true);
        // Before telephony has read the routes it is not asked to register.
        if (json.registered !== null) problems.add(String(json.problem).replace(/^\S+/, 'host'));
      }
      await wait(200);
    }
    expect([...problems]).toEqual(['host has not answered.']);
    expect(open.connections()).toBe(0);
    figure(
      'T42',
      `connections to an internal port by trunks of another account: ${open.connections()}, texts of state: ${problems.size}`,
    );
    // The operator's own account may: a gateway in the LAN is common.
    const own = {
      name: 'gateway',
      host: 'localhost',
      port: open.port,
      transport: 'tcp',
      username: 'x',
      password: 'x',
      register: true,
    };
    expect((await call(pbx.url, 'POST', '/v1/trunk', { body: own })).status).toBe(201);
    await expect.poll(() => open.connections()).toBeGreaterThan(0);
  } finally {
    await pbx.remove();
    open.server.close();
  }
});
