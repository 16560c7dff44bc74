// Kamailio as a provider: a line that registers under another name than it authenticates with, by a proxy that SRV records lead to; two
// hosts, of which one is stopped and started again.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespacesMissing } from '../hostile/support/needs.ts';
import { PASSWORD, type Pbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import type { PhoneCall } from '../support/phone/phone-call.ts';
import { toneCoded } from '../support/phone/tone-recording.ts';
import { call, type Json } from '../support/service.ts';
import { Kamailio } from './support/kamailio.ts';
import { NameServer } from './support/name-server.ts';
import { nothingLeft, recordOf } from './support/observe.ts';
import { freePort, has } from './support/program.ts';

const [FIRST, SECOND, SWITCH] = ['127.0.0.7', '127.0.0.8', '127.0.0.4'] as const;
const TONES = toneCoded('menu', 'agent', 'switch');
const SECRET = 'the-line-password';

describe.skipIf(namespacesMissing() || !has('kamailio'))('a provider with Kamailio', () => {
  let pbx: Pbx;
  let names: NameServer;
  let far: Phone;
  let agent: Phone;
  const providers: Kamailio[] = [];
  const ports = { first: 0, second: 0 };
  const start = async (host: string, port: number): Promise<Kamailio> => {
    const provider = await Kamailio.start({ host, port }, far, SECRET);
    providers.push(provider);
    return provider;
  };
  const ask = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, text, json } = await call(pbx.url, method, path, body === undefined ? {} : { body });
    expect(status, text).toBeLessThan(300);
    return json;
  };
  const stateOf = (id: string): Promise<Json> => ask('GET', `/v1/trunk/${id}/state`);

  beforeAll(async () => {
    ports.first = await freePort(FIRST);
    ports.second = await freePort(SECOND);
    const server = { host: FIRST, port: ports.first };
    far = await Phone.open({ server, host: SWITCH, user: '4940555123' });
    await start(FIRST, ports.first);
    await start(SECOND, ports.second);
    const hosts = [
      { priority: 1, port: ports.first, target: 'a.provider.example' },
      { priority: 2, port: ports.second, target: 'b.provider.example' },
    ];
    names = await NameServer.open({
      '_sip._udp.edge.provider.example': hosts,
      '_sip._udp.open.example': hosts,
      'a.provider.example': FIRST,
      'b.provider.example': SECOND,
    });
    const outbound = { agents_may_call: true, caller_id: '+4930123456' };
    pbx = await startPbx({
      under: names.under,
      settings: { country: 'DE', area_code: '030', loopback_calls: false },
      recordings: { menu: { hz: TONES.menu, ms: 3_000 } },
      agents: { '1001': {} },
      menus: { main: { recording: 'recording||menu', timeout: 30 } },
      numbers: { '+4930123456': 'ivr||main' },
      // Sooner than the API lets anyone ask.
      trunks: {
        watched: {
          ...{ host: 'open.example', port: 0, addresses: [], keepalive_seconds: 1, ...outbound },
          outbound_prefixes: [{ prefix: '0041', strip: 0, add: '' }],
        },
      },
    });
    await ask('POST', '/v1/trunk', {
      ...{ name: 'Line', host: 'provider.example', outbound_proxy: 'edge.provider.example', ...outbound },
      ...{ username: 'our-name', auth_username: 'auth-name', password: SECRET, register: true },
      ...{ inbound_by_registration: true, inbound_format: 'digits', outbound_format: 'digits' },
      ...{ from_user: 'username', identity_header: 'pai', outbound_prefixes: ['040'] },
    });
    agent = await Phone.open({ server: pbx.sip, user: '1001', password: PASSWORD });
    expect(await agent.register()).toBe(200);
  }, 60_000);
  afterAll(async () => {
    for (const phone of [agent, far]) phone?.close();
    await pbx?.remove();
    await Promise.all(providers.map((provider) => provider.stop()));
    names?.close();
  });

  /** The agent calls, the switch answers: both hear each other. */
  const talk = async (number: string): Promise<{ readonly ours: PhoneCall; readonly theirs: PhoneCall }> => {
    const incoming = far.incoming({ withinMs: 30_000 });
    const ours = await agent.call(number);
    const theirs = await (await incoming).answer();
    await ours.answered();
    void ours.sendTone(TONES.agent);
    void theirs.sendTone(TONES.switch);
    await Promise.all([ours.hears(TONES.switch, { forMs: 400 }), theirs.hears(TONES.agent, { forMs: 400 })]);
    return { ours, theirs };
  };

  it('takes our registration under a name of its own for authentication, calls it, and is called', async () => {
    const { data } = await ask('GET', '/v1/trunks');
    const { id } = data.find(({ name }: Json) => name === 'Line');
    await expect.poll(() => stateOf(id)).toMatchObject({ registered: true });
    const caller = await (await far.call('4930123456')).answered();
    await caller.hears(TONES.menu, { forMs: 400 });
    await caller.hangUp();
    expect(await recordOf(pbx, '+4940555123')).toMatchObject({
      dialled: '+4930123456',
      direction: 'inbound',
    });

    const { ours, theirs } = await talk('040555777');
    const invite = far.log.findLast(({ way, first }) => way === 'received' && first.startsWith('INVITE'));
    expect(invite?.first).toBe('INVITE sip:4940555777@provider.example SIP/2.0');
    expect(invite?.text).toMatch(/^P-Asserted-Identity: <sip:4930123456@provider\.example>\r$/im);
    await theirs.hangUp();
    await ours.ended();
    await nothingLeft(pbx);
  });

  it('is called by its second host while the first is stopped, and OPTIONS tell both changes', async () => {
    const reachable = async (): Promise<Json> =>
      (await stateOf('watched')).hosts.map((host: Json) => [host.address, host.reachable]).sort();
    await expect.poll(reachable).toEqual([
      [FIRST, true],
      [SECOND, true],
    ]);
    await providers[0]?.stop();
    // Nothing says yet that the first does not answer.
    const { ours, theirs } = await talk('040555778');
    await ours.hangUp();
    await theirs.ended();
    await expect.poll(reachable).toEqual([
      [FIRST, false],
      [SECOND, true],
    ]);
    expect(await stateOf('watched')).toMatchObject({ reachable: true });
    const heard: string[] = [];
    const silent = createSocket('udp4').bind(ports.first, FIRST);
    silent.on('message', (bytes) => heard.push(String(bytes).split(' ', 1).join()));
    await once(silent, 'listening');
    const known = await talk('0041555779');
    // Without the wait for the first, which would be asked last.
    expect(heard).not.toContain('INVITE');
    await new Promise<void>((resolve) => silent.close(() => resolve()));
    await known.theirs.hangUp();
    await known.ours.ended();
    await start(FIRST, ports.first);
    await expect.poll(reachable).toEqual([
      [FIRST, true],
      [SECOND, true],
    ]);
    await nothingLeft(pbx);
  });
});
