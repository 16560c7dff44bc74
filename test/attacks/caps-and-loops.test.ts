// One agent, one account and one loop cannot take what all share: ports for sound and calls (T41).
import { expect, it } from 'vitest';
import { metric } from '../hostile/support/metrics.ts';
import { wait } from '../hostile/support/stranger.ts';
import { figure } from '../support/figure.ts';
import { PASSWORD, type Pbx, type PbxOptions, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { header } from '../support/phone/sip-text.ts';
import { call, runProcess } from '../support/service.ts';

const MENU: PbxOptions = {
  recordings: { prompt: { hz: 1_000, ms: 60_000 } },
  menus: { main: { timeout: 60 } },
};

/** Longer than the service takes to read a change of another process: a second, and what a busy machine adds. */
const ROUTES_MS = 3_000;

const statusesOf = (phone: Phone): number[] =>
  phone.log
    .filter(({ way, first }) => way === 'received' && first.startsWith('SIP/2.0 '))
    .map(({ first }) => Number(first.slice(8, 11)))
    .filter((status) => status >= 200 && status !== 401);

/** The last status of each INVITE that was answered for good: answers without an ACK come again. */
function answersOf(phone: Phone): Map<string, number> {
  const answers = new Map<string, number>();
  for (const { way, first, text } of phone.log) {
    const status = Number(first.slice(8, 11));
    const [, id] = /^call-id: *(\S+)/im.exec(text) ?? [];
    const isFinal = way === 'received' && first.startsWith('SIP/2.0 ') && status >= 200 && status !== 401;
    if (isFinal && id !== undefined && /^cseq: *\d+ INVITE/im.test(text)) answers.set(id, status);
  }
  return answers;
}

it('T41: an agent’s unanswered INVITEs leave ports for the others', async () => {
  const pbx = await startPbx({
    ...MENU,
    agents: { '1001': {}, '1002': {} },
    numbers: { '100': 'ivr||main' },
    env: { RTP_PORTS: '31000-31127' },
  });
  const agent = await Phone.open({ user: '1001', password: PASSWORD, server: pbx.sip });
  const other = await Phone.open({ user: '1002', password: PASSWORD, server: pbx.sip });
  try {
    expect([await agent.register(), await other.register()]).toEqual([200, 200]);
    agent.faults.dropAck = true;
    for (let calls = 0; calls < 100; calls += 1) await agent.call('100');
    await expect.poll(() => answersOf(agent).size).toBe(100);
    const refused = [...answersOf(agent).values()].filter((status) => status === 486).length;
    const streams = await metric(pbx, 'dialtree_media_streams');
    const answered = await (await other.call('100')).answered();
    expect([streams, refused]).toEqual([20, 80]);
    const refusal = agent.log.find(({ first }) => first.startsWith('SIP/2.0 486'))?.text;
    expect(refusal).toMatch(/^retry-after: \d+/im);
    await answered.hangUp();
    figure(
      'T41',
      `100 INVITEs of one agent without ACK: ${streams} pairs of ports of 64 in use, ${refused} got 486`,
    );
  } finally {
    for (const phone of [agent, other]) phone.close();
    await pbx.remove();
  }
});

it('T41: the operator’s caps hold above the account’s own, at once in a running service', async () => {
  const pbx = await startPbx({
    ...MENU,
    numbers: { '100': 'ivr||main' },
    trunks: { provider: { addresses: ['127.0.0.2'], max_calls: 100 } },
  });
  const provider = await Phone.open({ server: pbx.sip, host: '127.0.0.2' });
  const local = await Phone.open({ server: pbx.sip });
  const limit = (change: string) =>
    runProcess(['account', 'limits', 'default', change], { dataDir: pbx.dataDir });
  const statusOf = async (phone: Phone): Promise<number | undefined> => {
    const before = statusesOf(phone).length;
    await phone.call('100');
    await expect.poll(() => statusesOf(phone).length).toBeGreaterThan(before);
    return statusesOf(phone).at(-1);
  };
  try {
    await limit('max_calls=3');
    await wait(ROUTES_MS);
    const statuses = [];
    for (let calls = 0; calls < 5; calls += 1) statuses.push(await statusOf(provider));
    expect(statuses).toEqual([200, 200, 200, 503, 503]);
    expect(await statusOf(local)).toBe(503);
    await limit('max_calls=default');
    await limit('max_trunk_calls=3');
    await wait(ROUTES_MS);
    expect([await statusOf(provider), await statusOf(local)]).toEqual([503, 200]);
    const { json } = await call(pbx.url, 'POST', '/v1/trunk', {
      body: { name: 'more', host: 'sip.example.com', max_calls: 4 },
    });
    expect(json.Errors).toMatchObject([{ Pointer: '/max_calls', Code: 'number_out_of_range' }]);
  } finally {
    for (const phone of [provider, local]) phone.close();
    await pbx.remove();
  }
});

const ROUTE = [{ prefix: '+44', strip: 3, add: '' }];
const LOOP: PbxOptions = {
  ...MENU,
  numbers: { '900': 'number||+44900' },
  trunks: { out: { outbound_prefixes: ROUTE } },
};

/** A provider that makes a new call to 900 of every call to it, with the headers that it passes on. */
async function loopThrough(pbx: Pbx, passesOn: readonly string[]): Promise<Phone> {
  const provider = await Phone.open({ server: pbx.sip, host: '127.0.0.2' });
  const { host, port } = provider;
  const body = { name: 'out', host, port, addresses: [host], outbound_prefixes: ROUTE, max_calls: 100 };
  const { status, text } = await call(pbx.url, 'PUT', '/v1/trunk/out', { body });
  expect(status, text).toBe(200);
  void (async () => {
    for (;;) {
      const incoming = await provider.incoming({ withinMs: 60_000 });
      const { invite } = incoming;
      const headers = passesOn.flatMap((name) => {
        const value = invite ? header(invite, name) : '';
        return value === '' ? [] : [[name, value] as const];
      });
      await provider.call('900', { headers });
    }
  })().catch(() => undefined);
  return provider;
}

/** The most calls at once from now on; then all are hung up. */
async function mostCalls(pbx: Pbx): Promise<number> {
  let most = 0;
  for (let looks = 0; looks < 40; looks += 1) {
    most = Math.max(most, await metric(pbx, 'dialtree_calls'));
    await wait(50);
  }
  const hangUp = async (): Promise<number> => {
    for (const { id } of (await call(pbx.url, 'GET', '/v1/live_calls')).json.data)
      await call(pbx.url, 'POST', '/v1/call/hangup', { body: { id } });
    return metric(pbx, 'dialtree_calls');
  };
  await expect.poll(hangUp).toBe(0);
  return most;
}

it('T41: a number that leads to itself over a trunk makes five calls of one', async () => {
  const pbx = await startPbx(LOOP);
  const phone = await Phone.open({ server: pbx.sip });
  const provider = await loopThrough(pbx, ['x-dialtree-passes']);
  try {
    await wait(500);
    await phone.call('900');
    await expect.poll(() => statusesOf(provider)).toContain(482);
    const most = await mostCalls(pbx);
    expect(most).toBeLessThanOrEqual(5);
    figure('T41', `a number that leads to itself over a trunk: ${most} calls at once, then 482`);
  } finally {
    for (const each of [phone, provider]) each.close();
    await pbx.remove();
  }
});

it('T41: a provider that makes a new call of each, without a header of ours, is bounded by the caps', async () => {
  const pbx = await startPbx(LOOP);
  const phone = await Phone.open({ server: pbx.sip });
  const provider = await loopThrough(pbx, []);
  try {
    await runProcess(['account', 'limits', 'default', 'max_trunk_calls=6'], { dataDir: pbx.dataDir });
    await wait(ROUTES_MS);
    await phone.call('900');
    const most = await mostCalls(pbx);
    expect(most).toBeLessThanOrEqual(4);
    figure('T41', `the same where the provider drops the header, trunk capped at 6: ${most} calls at once`);
  } finally {
    for (const each of [phone, provider]) each.close();
    await pbx.remove();
  }
});
