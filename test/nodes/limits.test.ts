// What nodes count and do together: calls and messages that cost money, registrations at trunks, bans.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eidOf } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { postgresMissing } from '../support/postgres.ts';
import { Registrar } from '../support/registrar.ts';
import { Cluster } from './support/cluster.ts';
import { report, sleep } from './support/report.ts';

const WITHIN_MS = 60_000;
const CLICKED = ['1003', '1004', '1005', '1006'];

/** Until the condition holds; how long it took. */
async function within(what: () => boolean | Promise<boolean>, ms: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await what()) return Math.round(performance.now() - began);
    if (performance.now() - began > ms) throw new Error(`not within ${ms} ms`);
    await sleep(20);
  }
}

describe.skipIf(postgresMissing())('two nodes', () => {
  let cluster: Cluster;
  let provider: Phone;
  let registrar: Registrar;
  beforeAll(async () => {
    provider = await Phone.open({ user: 'provider', server: { host: '127.0.0.1', port: 9 } });
    registrar = await Registrar.open();
    cluster = await Cluster.open({
      nodes: 2,
      agents: {
        '1001': {},
        '1002': {},
        ...Object.fromEntries(CLICKED.map((intercom) => [intercom, { product_clicktocall: 1 }])),
      },
      settings: { max_outbound_calls: 1, clicks_per_minute: 2 },
      env: { SMS_PER_MINUTE: '3', SMS_URL: 'http://:secret@127.0.0.1:9/send' },
      trunks: {
        out: {
          port: provider.port,
          outbound_prefixes: [{ prefix: '+44', strip: 0, add: '' }],
          agents_may_call: true,
        },
        registered: { port: registrar.port, register: true, username: 'office' },
      },
    });
    cluster.phones.push(provider);
  });
  afterAll(async () => {
    await cluster?.close();
    registrar?.close();
  });

  it('let one outbound call through where the account may have one', async () => {
    const [a, b] = [await cluster.agent(0, '1001'), await cluster.agent(1, '1002')];
    const first = await a.call('+441111');
    const outside = await provider.incoming();
    await outside.answer();
    await first.answered();
    // At once: the slot is refused where it is asked for, and the caller hears that nothing can be reached.
    const second = await b.call('+442222');
    // A second later node B knows, and refuses the call itself.
    await sleep(2_000);
    await second.hangUp().catch(() => undefined);
    const third = await b.call('+443333');
    expect(await third.finished({ withinMs: 30_000 })).toBe(403);
    expect(provider.calls).toHaveLength(1);
    await first.hangUp();
    await outside.ended();
    // Node B knows a second later that the slot is free.
    await sleep(2_000);
    const again = await b.call('+444444');
    const rung = await provider.incoming();
    await rung.answer();
    await again.answered();
    await again.hangUp();
    await rung.ended();
  });

  it('two calls at once, one at each node: one is placed', async () => {
    const [a, b] = [await cluster.agent(0, '1001'), await cluster.agent(1, '1002')];
    await sleep(2_000);
    const before = provider.calls.length;
    const calls = await Promise.all([a.call('+441111'), b.call('+442222')]);
    const rung = await provider.incoming();
    await rung.answer();
    await sleep(1_000);
    expect(provider.calls.length - before).toBe(1);
    for (const call of calls) await call.hangUp().catch(() => undefined);
    await sleep(500);
  });

  /** What follows is within one minute of the database's clock. */
  async function earlyInMinute(): Promise<void> {
    const [row] = await cluster.database.query('SELECT extract(second FROM clock_timestamp()) AS second');
    if (Number(row?.['second']) > 55) await sleep(6_000);
  }

  it('take two clicks to call a minute together', async () => {
    for (const [index, intercom] of CLICKED.entries()) await cluster.agent(index % 2, intercom);
    await earlyInMinute();
    const statuses: number[] = [];
    for (const [index, intercom] of CLICKED.entries()) {
      const body = { agent: eidOf(intercom), number: '1001' };
      statuses.push((await cluster.node(index % 2).api('POST', '/v1/click_to_call', body)).status);
    }
    expect(statuses).toEqual([201, 201, 429, 429]);
  });

  it('send three SMS a minute together', async () => {
    await earlyInMinute();
    const statuses: number[] = [];
    for (let index = 0; index < 6; index++) {
      const body = { to: '+4930123456', text: `message ${index}` };
      statuses.push((await cluster.node(index % 2).api('POST', '/v1/sms', body)).status);
    }
    expect(statuses).toEqual([201, 201, 201, 429, 429, 429]);
  });

  it('register at a trunk once, say which of them does, and the other takes over after kill -9', async () => {
    const [{ json }] = await Promise.all([cluster.node(0).api('GET', '/v1/trunks')]);
    const { id } = json.data.find(({ name }: { name: string }) => name === 'registered');
    const stateAt = async (node: number) =>
      (await cluster.node(node).api('GET', `/v1/trunk/${id}/state`)).json;
    await within(async () => (await stateAt(0)).registered === true, WITHIN_MS);
    await within(async () => (await stateAt(1)).registered === true, WITHIN_MS);
    const { registered_by: owner } = await stateAt(0);
    expect((await stateAt(1)).registered_by).toBe(owner);
    expect(registrar.seen.size).toBe(1);
    const index = owner === 'node-1' ? 0 : 1;
    await cluster.node(index).kill();
    const killedMs = performance.now();
    await within(() => registrar.seen.size === 2, WITHIN_MS);
    const tookMs = Math.round(performance.now() - killedMs);
    report(`limits: registered at a trunk again ${tookMs} ms after kill -9 of the node that was`);
    await within(async () => (await stateAt(1 - index)).registered_by === `node-${2 - index}`, WITHIN_MS);
  });
});

describe.skipIf(postgresMissing())('two nodes at addresses of their own', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await Cluster.open({
      nodes: 2,
      separate: true,
      postgres: { listen_addresses: '*' },
      agents: { '1001': {} },
    });
  });
  afterAll(() => cluster?.close());

  it('ban together an address that floods one of them', async () => {
    const stranger = await cluster.phone(1, { user: '1001', password: 'wrong' });
    const heard = (): number => stranger.log.filter(({ first }) => first.startsWith('SIP/2.0')).length;
    const ask = (node: number, index: number): void =>
      stranger.sendRaw(
        `REGISTER sip:x SIP/2.0\r\nVia: SIP/2.0/UDP ${stranger.host}:${stranger.port};rport;branch=z9hG4bK${node}-${index}\r\n` +
          `From: <sip:1001@x>;tag=${index}\r\nTo: <sip:1001@x>\r\nCall-ID: ban-${node}-${index}\r\nCSeq: 1 REGISTER\r\n` +
          `Contact: <sip:1001@${stranger.host}:${stranger.port}>\r\nMax-Forwards: 70\r\nContent-Length: 0\r\n\r\n`,
        cluster.node(node).sip,
      );
    ask(1, 0);
    await within(() => heard() > 0, WITHIN_MS);
    for (let index = 0; index < 40; index++) ask(0, index);
    const began = performance.now();
    await sleep(100);
    let index = 1;
    // Silence at B: it answers no more.
    const bannedMs = await within(async () => {
      const before = heard();
      ask(1, index++);
      await sleep(1_000);
      return heard() === before;
    }, WITHIN_MS);
    report(
      `limits: banned at A, banned at B within ${Math.round(performance.now() - began)} ms (${bannedMs})`,
    );
  });
});
