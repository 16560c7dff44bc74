// What goes wrong between two phones: callers who change their minds, answers that cross, phones that fall silent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extension } from '../support/pbx.ts';
import { header } from '../support/phone/sip-text.ts';
import { codes, PhoneBed, tones } from './support/phone-bed.ts';

const { hz, recordings } = tones(400, 'prompt', 'agent', 'failover');
const RING_SECONDS = 5;
const RTP_TIMEOUT_SECONDS = 5;
const AGENTS = ['1001', '1002', '1003', '1004', '1005', '1006', '1007', '1008'];
let bed: PhoneBed;

beforeAll(async () => {
  bed = await PhoneBed.open({
    recordings,
    settings: { ring_seconds: RING_SECONDS },
    agents: Object.fromEntries(AGENTS.map((each) => [each, { failover_destination: 'ivr||failover' }])),
    menus: { main: { timeout: 60 }, failover: { recording: 'recording||failover', timeout: 60 } },
    numbers: {
      '100': 'ivr||main',
      ...Object.fromEntries(AGENTS.map((each) => [`7${each}`, extension(each)])),
    },
    env: { RTP_TIMEOUT_SECONDS: String(RTP_TIMEOUT_SECONDS) },
  });
});

afterAll(() => bed.close());

describe.concurrent('a caller who cancels', () => {
  it('while the agent’s phone rings ends both', async () => {
    const phone = await bed.agent('1001');
    const call = await bed.dial('71001');
    const incoming = await phone.incoming();
    incoming.ring();
    await call.progressed(180);
    expect(await call.cancel()).toBe(200);
    expect(await call.ended()).toMatchObject({ how: 'cancel', status: 487 });
    expect(await incoming.ended()).toMatchObject({ by: 'peer', how: 'cancel' });
    expect(await bed.record(call)).toMatchObject({ end_code: 'caller-hung-up', talk_ms: 0 });
  });

  it('just as the agent answers leaves no leg behind', async () => {
    const phone = await bed.agent('1002');
    const call = await bed.dial('71002');
    const incoming = await phone.incoming();
    incoming.ring();
    await call.progressed(180);
    const crossing = Promise.allSettled([call.cancel(), incoming.answer()]);
    await Promise.all([call.ended(), incoming.ended()]);
    await crossing;
    const record = await bed.record(call);
    expect(record.end_code).toBe('caller-hung-up');
  });
});

describe.concurrent('an agent', () => {
  it('who answers just as the ring time ends is in the call or out of it, and the caller is never left in silence', async () => {
    const phone = await bed.agent('1003');
    const call = await bed.dial('71003');
    const incoming = await phone.incoming();
    incoming.ring();
    await new Promise((resolve) => setTimeout(resolve, RING_SECONDS * 1_000 - 60));
    const answered = await incoming.answer().then(
      () => true,
      () => false,
    );
    await call.answered({ withinMs: 30_000 });
    await incoming.sendTone(hz.agent).catch(() => undefined);
    const heard = await Promise.any([
      call.hears(hz.agent, { forMs: 100 }).then(() => 'agent'),
      call.hears(hz.failover, { forMs: 100 }).then(() => 'failover'),
    ]);
    const record = await call.hangUp().then(() => bed.record(call));
    expect(codes(record).includes('connected')).toBe(heard === 'agent');
    if (!answered) expect(heard).toBe('failover');
    await incoming.ended();
  });

  it('whose phone declines, is not there any more or answers nonsense is replaced by the failover', async () => {
    const phones = await Promise.all([bed.agent('1004'), bed.agent('1005'), bed.agent('1006')]);
    const calls = await Promise.all(['71004', '71005', '71006'].map((each) => bed.dial(each)));
    const [declines, gone, strange] = await Promise.all(phones.map((phone) => phone.incoming()));
    declines?.reject(603, 'Decline');
    gone?.reject(404, 'Not Found');
    strange?.reject(500, 'Server Internal Error');
    for (const call of calls) {
      await call.answered();
      await call.hears(hz.failover, { forMs: 80 });
      await call.hangUp();
    }
  });

  it('whose phone never answers the INVITE is replaced by the failover after the ring time', async () => {
    const phone = await bed.agent('1007');
    phone.faults.ignore = ['INVITE', 'CANCEL'];
    const call = await bed.dial('71007');
    await call.answered({ withinMs: RING_SECONDS * 1_000 + 10_000 });
    await call.hears(hz.failover, { forMs: 80 });
    await call.hangUp();
    const record = await bed.record(call);
    expect(codes(record)).toContain('no-answer');
  });
});

describe.concurrent('a caller who falls silent', () => {
  it('without a BYE is hung up after RTP_TIMEOUT_SECONDS, and so is the agent', async () => {
    const phone = await bed.agent('1008');
    const call = await bed.dial('71008');
    const incoming = await phone.incoming();
    await incoming.answer();
    await call.answered();
    call.abandon();
    expect(await incoming.ended({ withinMs: RTP_TIMEOUT_SECONDS * 1_000 + 10_000 })).toMatchObject({
      by: 'peer',
      how: 'bye',
    });
    const record = await bed.record(call);
    const leg = record.legs.find(({ role }: { role: string }) => role === 'caller');
    expect(leg).toMatchObject({ ended_by: 'timeout', cause: 102 });
  });
});

describe.concurrent('a lost ACK', () => {
  it('makes our 200 come again, and no sound is sent before it', async () => {
    const phone = await bed.phone();
    phone.faults.dropAck = true;
    const call = await phone.call('100');
    const repeats = (): number =>
      phone.log.filter(({ first, way }) => way === 'received' && first.startsWith('SIP/2.0 200')).length;
    await bed.until('the 200 again', async () => repeats() >= 3);
    expect(call.rtp.packets).toHaveLength(0);
    phone.faults.dropAck = false;
    await call.hears(hz.prompt, { forMs: 80 });
    await call.hangUp();
  });
});

describe.concurrent('a request that belongs to no call', () => {
  it('gets 481, and one that came in a loop 482 or 483', async () => {
    const phone = await bed.phone();
    const send = (method: string, more: readonly (readonly [string, string])[]) =>
      phone.transactions.request({
        method,
        uri: `sip:100@127.0.0.1:${bed.pbx.sip.port}`,
        to: bed.pbx.sip,
        headers: [
          ['From', `<${phone.address}>;tag=1`],
          ['Call-ID', `${method}-${phone.port}`],
          ['CSeq', `1 ${method}`],
          ['Contact', phone.contact],
          ...more,
        ],
      });
    const bye = await send('BYE', [
      ['To', '<sip:100@127.0.0.1>;tag=nobody'],
      ['Max-Forwards', '70'],
    ]);
    expect(bye.status).toBe(481);
    const invite = await send('INVITE', [
      ['To', '<sip:100@127.0.0.1>'],
      ['Max-Forwards', '0'],
    ]);
    expect(invite.status).toBe(483);
    expect(header(invite, 'via')).toContain(';received=127.0.0.1');
  });
});
