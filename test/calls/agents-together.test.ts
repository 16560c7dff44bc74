// Agents among themselves: departments that ring together, agents who are busy with calls of their own, and transfers that
// lead on to menus.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf, extension } from '../support/pbx.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'one', 'agent', 'caller', 'failover');
const AGENTS = Array.from({ length: 15 }, (_, index) => String(1_001 + index));
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    agents: Object.fromEntries(AGENTS.map((each) => [each, { failover_destination: 'ivr||failover' }])),
    departments: {
      sales: { agents: [eidOf('1001'), eidOf('1002')], failover_destination: 'ivr||failover' },
      pairs: {
        agents: [eidOf('1013'), eidOf('1014'), eidOf('1015')],
        strategy: 'in_order',
        ring_together: 2,
      },
      support: { agents: [eidOf('1003'), eidOf('1004')], strategy: 'in_order', ring_seconds: 5 },
    },
    menus: {
      main: { option: ['1'], destination: ['ivr||one'], timeout: 60 },
      one: { recording: 'recording||one', timeout: 60 },
      failover: { recording: 'recording||failover', timeout: 60 },
    },
    numbers: {
      '100': 'ivr||main',
      '200': 'department||sales',
      '201': 'department||support',
      '202': 'department||pairs',
      ...Object.fromEntries(AGENTS.map((each) => [`7${each}`, extension(each)])),
    },
  });
});

afterAll(() => bed.close());

describe.concurrent('a department', () => {
  it('rings its agents together; when two answer at the same moment one talks and the other is hung up', async () => {
    const phones = await Promise.all([bed.agent('1001'), bed.agent('1002')]);
    const call = await bed.dial('200');
    const incoming = await Promise.all(phones.map((phone) => phone.incoming()));
    for (const each of incoming) each.ring();
    await Promise.allSettled(incoming.map((each) => each.answer()));
    await call.answered();
    await bed.until('one left', async () => incoming.filter(({ end }) => end === null).length === 1);
    const winner = incoming.find(({ end }) => end === null);
    await winner?.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 200 });
    await call.hangUp();
    await winner?.ended();
    const record = await bed.record(call);
    expect(record.answered_by).toBe(eidOf(winner?.dialled ?? ''));
    // Both are free again.
    const next = await bed.dial('200');
    const again = await Promise.all(phones.map((phone) => phone.incoming()));
    await next.hangUp();
    for (const each of again) expect(await each.ended()).toMatchObject({ how: 'cancel' });
  });
});

describe.concurrent('a department that rings two agents at once', () => {
  it('releases the phone of the other with “answered elsewhere”, in the order of its strategy', async () => {
    const phones = await Promise.all(['1013', '1014', '1015'].map((each) => bed.agent(each)));
    const call = await bed.dial('202');
    const [first, second] = await Promise.all(phones.slice(0, 2).map((phone) => phone.incoming()));
    first?.ring();
    second?.ring();
    await second?.answer();
    await call.answered();
    expect(await first?.ended()).toMatchObject({
      how: 'cancel',
      text: 'SIP;cause=200;text="Call completed elsewhere"',
    });
    await call.hangUp();
    await second?.ended();
    const rung = (await bed.record(call)).steps.find(({ code }: { code: string }) => code === 'ringing');
    expect(rung?.text).toContain('1013');
    expect(rung?.text).toContain('1014');
    expect(rung?.text).not.toContain('1015');
  });
});

describe.concurrent('a department that rings in order', () => {
  it('goes on to the second agent when the first one is busy', async () => {
    const [first, second] = await Promise.all([bed.agent('1003'), bed.agent('1004')]);
    const call = await bed.dial('201');
    (await first.incoming()).reject(486, 'Busy Here');
    const incoming = await second.incoming();
    await incoming.answer();
    await call.answered();
    await call.hangUp();
    expect((await bed.record(call)).answered_by).toBe(eidOf('1004'));
  });
});

describe.concurrent('an agent', () => {
  it('who is in a call of their own is offered none', async () => {
    const phone = await bed.agent('1005');
    const own = await (await phone.call('100')).answered();
    const call = await bed.reach('71005');
    await call.hears(hz.failover, { forMs: 80 });
    await call.hangUp();
    expect(codes(await bed.record(call))).toContain('agent-busy');
    await own.hangUp();
    await bed.until('a free agent', async () => {
      const next = await bed.dial('71005');
      await new Promise((resolve) => setTimeout(resolve, 100));
      await next.hangUp();
      return phone.calls.length > 1;
    });
  });

  it('who calls their own number is busy, and hears no endless ringing', async () => {
    const phone = await bed.agent('1006');
    const call = await (await phone.call('1006')).answered();
    await call.hears(hz.failover, { forMs: 80 });
    await call.hangUp();
  });

  it('who was called sends the caller to a menu, where keys work', async () => {
    const phone = await bed.agent('1007');
    const call = await bed.dial('71007');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    expect(await incoming.refer('100')).toBe(202);
    await incoming.ended();
    await call.hears(hz.prompt, { forMs: 80 });
    await call.pressKeys('1');
    await call.hears(hz.one, { forMs: 80 });
    await call.hangUp();
    await bed.until('the record of the first call', async () => {
      const { json } = await bed.api('GET', '/v1/call/records?limit=100');
      const first = json.data.find((row: { dialled: string }) => row.dialled === '71007');
      return first?.end_code === 'transferred';
    });
  });

  it('who called sends the other one to a menu, where keys work', async () => {
    const [one, two] = await Promise.all([bed.agent('1008'), bed.agent('1009')]);
    const call = await one.call('1009');
    const incoming = await two.incoming();
    await incoming.answer();
    await call.answered();
    expect(await call.refer('100')).toBe(202);
    await call.ended();
    await incoming.hears(hz.prompt, { forMs: 80 });
    await incoming.pressKeys('1');
    await incoming.hears(hz.one, { forMs: 80 });
    await incoming.hangUp();
  });

  it('who is transferred away from is free for the next call', async () => {
    const phone = await bed.agent('1010');
    const call = await bed.dial('71010');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    expect(await incoming.refer('100')).toBe(202);
    await incoming.ended();
    await call.hears(hz.prompt, { forMs: 80 });
    const next = await bed.dial('71010');
    const second = await phone.incoming();
    await second.answer();
    await next.answered();
    await Promise.all([next.hangUp(), call.hangUp()]);
  });

  it('whose phone is held is hung up like any other', async () => {
    const phone = await bed.agent('1011');
    const call = await bed.dial('71011');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    expect(await incoming.hold()).toBe(200);
    await call.hangUp();
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'bye' });
  });

  it('is heard ringing reliably by a caller who asks for it (RFC 3262)', async () => {
    const phone = await bed.agent('1012');
    const call = await bed.dial('71012', {
      headers: [
        ['Supported', '100rel'],
        ['Require', '100rel'],
      ],
    });
    const incoming = await phone.incoming();
    incoming.ring();
    await call.progressed(180);
    await incoming.answer();
    await call.answered();
    await incoming.sendTone(hz.agent);
    await call.hears(hz.agent, { forMs: 100 });
    await call.hangUp();
  });
});
