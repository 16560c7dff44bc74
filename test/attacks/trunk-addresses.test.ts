// Another account claims trunk addresses: to take calls that are not its own, to lift bans, and to guess passwords unseen (T38).
import { expect, it } from 'vitest';
import { metric } from '../hostile/support/metrics.ts';
import { namespacesMissing } from '../hostile/support/needs.ts';
import { requestText, statusOf } from '../hostile/support/sip-probe.ts';
import { Stranger, wait } from '../hostile/support/stranger.ts';
import { Village } from '../hostile/support/village.ts';
import { figure } from '../support/figure.ts';
import { PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { call, type Reply, runProcess } from '../support/service.ts';

const hz = toneCoded('prompt', 'other');
const RECORDINGS = { prompt: { hz: hz.prompt, ms: 60_000 } };

/** A second account of a running service, and what it asks for. */
async function intruder(pbx: Pbx): Promise<(method: string, path: string, body?: object) => Promise<Reply>> {
  const made = await runProcess(['account', 'create', 'intruder'], { dataDir: pbx.dataDir });
  const token = made.out.trim();
  return (method, path, body) => call(pbx.url, method, path, { token, ...(body ? { body } : {}) });
}
const limits = (pbx: Pbx, ...changes: string[]) =>
  runProcess(['account', 'limits', 'intruder', ...changes], { dataDir: pbx.dataDir });

it('T38: a trunk of another account with 127.0.0.0/8 takes no call from this machine', async () => {
  const pbx = await startPbx({
    recordings: RECORDINGS,
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main' },
  });
  try {
    const ask = await intruder(pbx);
    await ask('POST', '/v1/number', { number: '100', destination: 'hangup||now' });
    await ask('POST', '/v1/number', { number: '777', destination: 'hangup||now' });
    const claims = await Promise.all(
      ['127.0.0.0/8', '127.0.0.1', '::ffff:127.0.0.1', '10.0.0.0/8', '203.0.0.0/8', '2001:db8::/32'].map(
        (address, index) =>
          ask('POST', '/v1/trunk', { name: `t${index}`, host: 'sip.example.com', addresses: [address] }),
      ),
    );
    const phone = await Phone.open({ server: pbx.sip });
    const dialled = await (await phone.call('100')).answered();
    await dialled.hears(hz.prompt, { forMs: 100 });
    await dialled.hangUp();
    // Numbers of an account without private networks are not dialled from this machine at all.
    const foreign = await phone.call('777');
    await foreign.ended();
    phone.close();
    expect(claims.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect(phone.log.filter(({ first }) => first.startsWith('SIP/2.0 404'))).toHaveLength(1);
    figure('T38', 'claims of loopback, private and wide networks by another account: 6 of 6 refused');
  } finally {
    await pbx.remove();
  }
});

it('T38: an address belongs to one account, whichever way it is asked for, and the refusal names nobody', async () => {
  const pbx = await startPbx({ trunks: { mine: { addresses: ['203.0.113.0/28', '198.51.100.7'] } } });
  try {
    const ask = await intruder(pbx);
    const trunk = { name: 'x', host: 'sip.example.com' };
    const own = await ask('POST', '/v1/trunk', { ...trunk, name: 'own', addresses: ['192.0.2.1'] });
    const id = own.headers.get('location') ?? '';
    const attempts = await Promise.all([
      ask('POST', '/v1/trunk', { ...trunk, addresses: ['203.0.113.0/24'] }),
      ask('POST', '/v1/trunk', { ...trunk, addresses: ['203.0.113.5'] }),
      ask('POST', '/v1/trunk', { ...trunk, host: '198.51.100.7' }),
      ask('POST', '/v1/trunk', { ...trunk, addresses: ['::ffff:198.51.100.7'], enabled: false }),
      ask('PUT', id, { ...trunk, addresses: ['198.51.100.0/24'] }),
    ]);
    expect(attempts.map(({ status, json }) => [status, json.Code])).toEqual(
      attempts.map(() => [409, 'address_taken']),
    );
    for (const { text } of attempts) expect(text).not.toMatch(/default|mine|account/);
    expect((await ask('GET', id)).json.addresses).toEqual(['192.0.2.1']);
    expect((await ask('POST', '/v1/trunk', { ...trunk, addresses: ['203.0.113.16'] })).status).toBe(201);
  } finally {
    await pbx.remove();
  }
});

it.skipIf(namespacesMissing()).sequential(
  'T38: a trunk lifts no ban, and its address guesses no passwords unseen',
  async () => {
    const village = new Village();
    const [banned, guesser] = [await Stranger.open(village.guest(0)), await Stranger.open(village.guest(1))];
    const pbx = await startPbx({ env: { SIP_HOST: village.here }, agents: { '1001': {} } });
    const answered = async (who: Stranger, text: string, withinMs = 30_000): Promise<number | null> => {
      who.received.length = 0;
      await who.send(text, pbx.sip);
      for (let waited = 0; waited < withinMs && who.received.length === 0; waited += 5) await wait(5);
      return who.received[0] ? statusOf(who.received[0]) : null;
    };
    try {
      for (let sent = 0; sent < 30; sent += 1)
        await banned.send(requestText('REGISTER', pbx.sip, banned), pbx.sip);
      await expect.poll(() => metric(pbx, 'dialtree_sip_bans')).toBe(1);
      // What it got before it was banned is still on its way.
      await wait(500);
      expect(await answered(banned, requestText('REGISTER', pbx.sip, banned), 1_000)).toBeNull();
      const ask = await intruder(pbx);
      await limits(pbx, 'private_networks=on');
      const made = await ask('POST', '/v1/trunk', {
        name: 'x',
        host: 'sip.example.com',
        addresses: [banned.host, guesser.host],
      });
      expect(made.status, made.text).toBe(201);
      // Routes are read within a second, on a machine that is not too busy.
      await wait(3_000);
      expect(await answered(banned, requestText('OPTIONS', pbx.sip, banned), 1_000)).toBeNull();

      expect(await answered(guesser, requestText('OPTIONS', pbx.sip, guesser))).toBe(200);
      let looked = 0;
      for (let guess = 0; guess < 40; guess += 1) {
        const phone = await Phone.open({
          user: '1001',
          password: `wrong ${guess}`,
          server: pbx.sip,
          host: guesser.host,
        });
        const status = await Promise.race([phone.register(), wait(5_000).then(() => null)]);
        phone.close();
        if (status === null) break;
        looked += 1;
      }
      expect(looked).toBe(5);
      // The trunk itself is heard as before.
      expect(await answered(guesser, requestText('OPTIONS', pbx.sip, guesser))).toBe(200);
      const honest = await Phone.open({
        user: '1001',
        password: PASSWORD,
        server: pbx.sip,
        host: village.here,
      });
      expect(await honest.register()).toBe(200);
      honest.close();
      figure('T38', `wrong passwords looked at from a trunk's address: ${looked} of 40`);
    } finally {
      await pbx.remove();
      banned.close();
      guesser.close();
      village.remove();
    }
  },
);

it('T38: stored addresses that an account may not have are not used, and its state says so', async () => {
  const pbx = await startPbx({
    recordings: RECORDINGS,
    menus: { main: { timeout: 60 } },
    numbers: { '100': 'ivr||main' },
  });
  try {
    const ask = await intruder(pbx);
    await limits(pbx, 'private_networks=on', 'wide_networks=on');
    const made = await ask('POST', '/v1/trunk', {
      name: 'x',
      host: 'sip.example.com',
      addresses: ['127.0.0.0/8', '203.0.113.1'],
    });
    expect(made.status, made.text).toBe(201);
    await limits(pbx, 'private_networks=off');
    const state = async () => (await ask('GET', `${made.headers.get('location')}/state`)).json;
    await expect.poll(async () => (await state()).unused_addresses).toEqual(['127.0.0.0/8']);
    const phone = await Phone.open({ server: pbx.sip });
    const dialled = await (await phone.call('100')).answered();
    await dialled.hears(hz.prompt, { forMs: 100 });
    phone.close();
    // Lines of the log are written every 200 ms.
    await expect.poll(() => pbx.log.some((line) => line.includes('trunk addresses not used'))).toBe(true);
  } finally {
    await pbx.remove();
  }
});
