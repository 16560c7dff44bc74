// Who may register, who may call whom, and what strangers reach: published numbers from this machine, and nothing else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension, PASSWORD } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { distinct, header } from '../support/phone/sip-text.ts';
import type { Json } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent', 'caller');
let bed: PhoneBed;
let provider: Phone;

beforeAll(async () => {
  provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
  const agents = Object.fromEntries(
    ['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008', '1010'].map((each) => [each, {}]),
  );
  bed = await PhoneBed.open({
    recordings,
    agents: { ...agents, '1009': { sip_sha256: true } },
    menus: { main: { timeout: 60 } },
    numbers: {
      '100': 'ivr||main',
      '+49301': 'ivr||main',
      '200': extension('1008'),
      '201': extension('1010'),
    },
    trunks: {
      open: {
        port: provider.port,
        outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
        agents_may_call: true,
        addresses: ['127.0.0.2'],
        inbound_numbers: ['+49301'],
        max_calls: 2,
      },
      closed: { port: provider.port, outbound_prefixes: [{ prefix: '+33', strip: 0, add: '' }] },
    },
  });
  bed.phones.push(provider);
});

afterAll(() => bed.close());

const challengeIn = (phone: Phone): string => {
  const text = phone.log.find(({ first }) => first.startsWith('SIP/2.0 401'))?.text ?? '';
  return /^www-authenticate: (.*)$/im.exec(text)?.[1] ?? '';
};

describe.concurrent('a trunk', () => {
  it('says how it is: not asked to register, or refused by a provider that says nothing', async () => {
    const { json: trunks } = await bed.api('GET', '/v1/trunks');
    const open = trunks.data.find(({ name }: { name: string }) => name === 'open');
    const state = await bed.api('GET', `/v1/trunk/${open.id}/state`);
    expect(state.json).toEqual({
      registered: null,
      problem: null,
      calls: expect.any(Number),
      registered_by: null,
      unused_addresses: [],
      reachable: null,
      hosts: [],
    });
    const { status } = await bed.api('POST', '/v1/trunk', {
      name: 'signs in',
      host: '127.0.0.1',
      port: 9,
      username: 'us',
      password: 'secret',
      register: true,
    });
    expect(status).toBe(201);
    const { data } = (await bed.api('GET', '/v1/trunks')).json;
    const { id } = data.find(({ name }: { name: string }) => name === 'signs in');
    // The telephone side hears of a new trunk a moment later.
    const present = await bed.until(
      'a refused registration',
      async () => {
        const { json } = await bed.api('GET', `/v1/trunk/${id}/state`);
        return json.problem ? json : null;
      },
      30_000,
    );
    expect(present).toEqual({
      registered: false,
      problem: expect.any(String),
      calls: 0,
      registered_by: null,
      unused_addresses: [],
      reachable: null,
      hosts: [],
    });
    expect((await bed.api('GET', '/v1/trunk/nowhere/state')).status).toBe(404);
  });
});

describe.concurrent('a phone registers', () => {
  it('with MD5 by default', async () => {
    const phone = await bed.agent('1001');
    expect(challengeIn(phone)).toContain('algorithm=MD5');
    expect(await phone.unregister()).toBe(200);
  });

  it('with SHA-256 where the agent requires it', async () => {
    const phone = await bed.agent('1009');
    // The same first challenge as everybody's; a right answer in MD5 is asked for again in SHA-256.
    expect(challengeIn(phone)).toContain('algorithm=MD5');
    const proved = distinct(phone.log).filter(({ text }) =>
      /^authorization: .*algorithm=SHA-256/im.test(text),
    );
    expect(proved).toHaveLength(1);
  });

  it('with a wrong password and as an unknown user to the same refusal', async () => {
    const wrong = await bed.phone({ user: '1002', password: 'wrong' });
    const unknown = await bed.phone({ user: '8888', password: PASSWORD });
    expect([await wrong.register(), await unknown.register()]).toEqual([401, 401]);
    const shape = (phone: Phone): string[] =>
      distinct(phone.log)
        .filter(({ way }) => way === 'received')
        .map(({ text }) => text.replace(/nonce="[^"]*"|(branch|tag|rport)=[^;\s]*|\d{4,}|Call-ID: .*/gi, ''));
    expect(shape(wrong)).toEqual(shape(unknown));
  });

  it('and is no longer rung once it unregistered', async () => {
    const phone = await bed.agent('1008');
    expect(await phone.unregister()).toBe(200);
    const call = await bed.dial('200');
    await call.ended({ withinMs: 30_000 });
    expect(phone.calls).toHaveLength(0);
  });

  it('and is no longer rung once its password was replaced', async () => {
    const phone = await bed.agent('1010');
    const { status } = await bed.api('POST', `/v1/agent/${eidOf('1010')}/sip_password`);
    expect(status).toBe(200);
    const call = await bed.dial('201');
    await call.ended({ withinMs: 30_000 });
    expect(phone.calls).toHaveLength(0);
  });
});

describe.concurrent('a stranger on this machine', () => {
  it('reaches no agent, no unpublished number and no outside number', async () => {
    for (const number of ['1001', '999', '+441234567', '00441234567', '9001', 'extension||91001', '']) {
      const call = await bed.dial(
        number === '' ? `sip:127.0.0.1:${bed.pbx.sip.port}` : encodeURIComponent(number),
      );
      expect(await call.finished(), number).toBe(404);
    }
    expect(provider.calls).toHaveLength(0);
  });

  it('is challenged when it claims to be an agent and proves it wrongly', async () => {
    const liar = await bed.phone({ user: '1001', password: 'guess' });
    const forged =
      'Digest username="1001", realm="dialtree", nonce="x", uri="sip:x", response="00000000000000000000000000000000"';
    const call = await liar.call('1002', { headers: [['Authorization', forged]] });
    expect(await call.finished()).toBe(401);
  });

  it('may not send anything but calls', async () => {
    const phone = await bed.phone();
    const send = async (method: string): Promise<number> =>
      (
        await phone.transactions.request({
          method,
          uri: `sip:1001@127.0.0.1:${bed.pbx.sip.port}`,
          to: bed.pbx.sip,
          headers: [
            ['Max-Forwards', '70'],
            ['From', `<${phone.address}>;tag=1`],
            ['To', `<sip:1001@127.0.0.1>`],
            ['Call-ID', `${method}-${phone.port}`],
            ['CSeq', `1 ${method}`],
          ],
        })
      ).status ?? 0;
    const statuses = await Promise.all(['MESSAGE', 'SUBSCRIBE', 'PUBLISH', 'NOTIFY', 'REFER'].map(send));
    for (const status of statuses) expect([401, 403, 405, 481, 501]).toContain(status);
    expect(await send('OPTIONS')).toBe(200);
  });
});

describe.concurrent('an agent', () => {
  it('calls a colleague by intercom number', async () => {
    const [one, two] = await Promise.all([bed.agent('1003'), bed.agent('1004')]);
    const call = await one.call('1004');
    const incoming = await two.incoming();
    expect(incoming.caller).toBe('1003');
    incoming.ring();
    await call.progressed(180);
    await incoming.answer();
    await call.answered();
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 100 });
    await call.hangUp();
    expect(await bed.record('1003')).toMatchObject({ direction: 'internal', dialled: '1004' });
  });

  it('must prove each call, also from where it registered', async () => {
    const phone = await bed.agent('1007');
    const nameless = await phone.call('1001', { headers: [] });
    await nameless.finished();
    const challenges = phone.log.filter(({ first }) => first.startsWith('SIP/2.0 401'));
    expect(challenges.length).toBeGreaterThanOrEqual(2);
    expect(
      header({ headers: [['x', '1']], first: '', method: '', uri: '', status: null, body: '' }, 'x'),
    ).toBe('1');
  });
});

describe('a trunk', () => {
  it('brings calls for its inbound numbers from its address, and no more than it may carry', async () => {
    const gateway = await bed.phone({ host: '127.0.0.2', user: '+4912345' });
    const other = await gateway.call('100');
    expect(await other.finished()).toBe(404);
    const first = await (await gateway.call('+49301')).answered();
    await first.hears(hz.prompt, { forMs: 80 });
    const second = await (await gateway.call('49301')).answered();
    const third = await gateway.call('+49301');
    expect(await third.finished()).toBe(503);
    expect(third.finalResponse && header(third.finalResponse, 'retry-after')).toMatch(/^\d+$/);
    await Promise.all([first.hangUp(), second.hangUp()]);
    await bed.until('a free trunk', async () => {
      const again = await gateway.call('+49301');
      const status = await again.finished();
      await again.hangUp();
      return status === 200;
    });
    // Refused calls have records too.
    await bed.until('a record', async () => {
      const { json } = await bed.api('GET', '/v1/call/records?caller=%2B4912345&direction=inbound');
      return json.data.some(
        ({ dialled, outcome }: Json) => dialled.includes('49301') && outcome === 'abandoned',
      );
    });
  });
});
