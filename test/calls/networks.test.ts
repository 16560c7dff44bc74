// The same calls over less friendly networks: IPv6, loss, translated addresses, connections that break; and two companies on
// one service whose agents have the same numbers.
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import { call as ask, runProcess } from '../support/service.ts';
import { PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'caller', 'agent', 'failover');
const AGENTS = ['1001', '1002', '1003', '1004', '1005', '1006'];
const menus = {
  main: { timeout: 60, option: ['1'], destination: ['ivr||failover'] },
  failover: { recording: 'recording||failover', timeout: 60 },
};
const agents = Object.fromEntries(AGENTS.map((each) => [each, { failover_destination: 'ivr||failover' }]));
const numbers = {
  '100': 'ivr||main',
  ...Object.fromEntries(AGENTS.map((each) => [`7${each}`, extension(each)])),
};
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings: { ...recordings, prompt: { hz: hz.prompt, ms: 2_500 } },
    agents,
    menus,
    numbers,
  });
});

afterAll(() => bed.close());

describe.concurrent('a caller behind an address translator', () => {
  it('hears the prompt although the offer names an address that cannot be reached (R10)', async () => {
    const call = await bed.reach('100', { sdp: { address: '192.0.2.77', port: 9 } });
    await call.hears(hz.prompt, { forMs: 200 });
    await call.pressKeys('1');
    await call.hears(hz.failover, { forMs: 100 });
    await call.hangUp();
  });
});

describe.concurrent('a network that loses every fifth message each way (R12)', () => {
  it('still lets calls be answered, reach an agent and end', async () => {
    const phone = await bed.agent('1001');
    phone.lossPercent = 20;
    const caller = await bed.phone();
    caller.lossPercent = 20;
    const call = await caller.call('71001');
    const incoming = await phone.incoming({ withinMs: 30_000 });
    incoming.ring();
    await incoming.answer({}, { withinMs: 30_000 });
    await call.answered({ withinMs: 30_000 });
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 200 });
    await call.hangUp();
    await incoming.ended({ withinMs: 30_000 });
  });

  it('does not lose keys when every tenth packet of sound is lost', async () => {
    const phone = await bed.agent('1002');
    const call = await bed.dial('71002');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    call.rtp.lossPercent = 10;
    await call.pressKeys('1234567890');
    await incoming.receivesKeys('1234567890');
    await call.hangUp();
  });
});

describe.concurrent('an agent over TCP', () => {
  it('whose connection is gone is unreachable at once, and the caller goes on (R14)', async () => {
    const phone = await bed.agent('1003', { server: bed.tcp, transport: 'tcp' });
    phone.close();
    await bed.until('fewer phones', async () => {
      const call = await bed.reach('71003');
      await call.hears(hz.failover, { forMs: 100 });
      await call.hangUp();
      const record = await bed.record(call);
      return record.steps.some(({ code }: { code: string }) => code === 'agent-unreachable');
    });
  });

  it('whose connection breaks during a call keeps talking, and is reached by the one it comes back with', async () => {
    const phone = await bed.agent('1004', { server: bed.tcp, transport: 'tcp' });
    const call = await bed.dial('71004');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 100 });
    phone.dropConnections();
    call.forget();
    await call.hears(hz.agent, { forMs: 300 });
    expect(await phone.register()).toBe(200);
    expect(await incoming.reinvite({})).toBe(200);
    await call.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
  });
});

describe('two accounts on one service', () => {
  it('may have the same intercom number: the password decides whose phone it is, and their calls never mix', async () => {
    const made = await runProcess(['account', 'create', 'second'], {
      dataDir: bed.pbx.dataDir,
    });
    expect(made.code, made.err).toBe(0);
    const token = made.out.trim();
    const post = async (path: string, body: object) => {
      const reply = await ask(bed.pbx.url, 'POST', path, { token, body });
      expect(reply.status, reply.text).toBe(201);
      return reply.json;
    };
    const agent = { name: 'Twin', eid: '5005', intercom: '1005' };
    const { sip_password: password } = await post('/v1/agent', agent);
    const { sip_password: other } = await post('/v1/agent', { ...agent, eid: '5006', intercom: '1006' });
    const theirs = await bed.phone({ user: '1005', password });
    await bed.until('a registration', async () => (await theirs.register()) === 200);
    const ours = await bed.agent('1005');
    const call = await bed.dial('71005');
    const incoming = await ours.incoming();
    await incoming.answer();
    await call.answered();
    expect(theirs.calls).toHaveLength(0);
    const colleague = await bed.phone({ user: '1006', password: other });
    expect(await colleague.register()).toBe(200);
    const internal = await colleague.call('1005');
    const rings = await theirs.incoming();
    await rings.answer();
    await internal.answered();
    await rings.sendTone(hz.agent);
    await internal.hears(hz.agent, { forMs: 100 });
    expect(ours.calls).toHaveLength(1);
    await Promise.all([call.hangUp(), internal.hangUp()]);
    const mine = (await bed.api('GET', '/v1/call/records?limit=100')).json.data;
    expect(mine.filter((row: { caller: string }) => row.caller === '1006')).toEqual([]);
  });
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

describe.runIf(hasIpv6)('IPv6', () => {
  it('carries a call with sound both ways', async () => {
    const six = await PhoneBed.open({ recordings, agents, menus, numbers, env: { SIP_HOST: '::1' } });
    try {
      const phone = await six.agent('1001');
      const call = await six.dial('71001');
      const incoming = await phone.incoming();
      await incoming.answer();
      await call.answered();
      expect(call.remote?.address).toBe('::1');
      await call.sendTone(hz.caller);
      await incoming.sendTone(hz.agent);
      await Promise.all([call.hears(hz.agent, { forMs: 200 }), incoming.hears(hz.caller, { forMs: 200 })]);
      await call.hangUp();
      await incoming.ended();
    } finally {
      await six.close();
    }
  });
});
