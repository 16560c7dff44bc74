// R29: the service is killed while phones are registered. After its restart agents are called without registering again.
import { afterEach, expect, it } from 'vitest';
import { tcpPort } from '../hostile/support/stranger.ts';
import { figure } from '../support/figure.ts';
import { eidOf, extension, PASSWORD, type Pbx, restartPbx, startPbx } from '../support/pbx.ts';
import { Phone } from '../support/phone/phone.ts';
import { freePort } from '../support/postgres.ts';
import { call, type Json } from '../support/service.ts';
import { waitUntil } from './support/rounds.ts';
import { readRows } from './support/sqlite-file.ts';

const AGENTS = ['1001', '1002', '1003', '1004', '1005'];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function registered(pbx: Pbx, user: string, transport: 'udp' | 'tcp' = 'udp'): Promise<Phone> {
  const port = transport === 'udp' ? pbx.sip.port : tcpPort(pbx);
  const phone = await Phone.open({
    user,
    password: PASSWORD,
    server: { host: pbx.sip.host, port },
    transport,
  });
  closing.push(() => phone.close());
  expect(await phone.register()).toBe(200);
  return phone;
}

async function phonesOf(pbx: Pbx, intercom: string): Promise<Json[]> {
  return (await call(pbx.url, 'GET', `/v1/agent/${eidOf(intercom)}/phones`)).json;
}

async function reaches(pbx: Pbx, intercom: string, phone: Phone): Promise<void> {
  const caller = await Phone.open({ server: pbx.sip });
  closing.push(() => caller.close());
  const outgoing = await caller.call(`7${intercom}`);
  const incoming = await phone.incoming();
  await incoming.answer();
  await outgoing.answered();
  await outgoing.hangUp();
  await incoming.ended();
}

it('R29: after kill -9 registered phones are called at once; gone ones, deleted agents and old passwords are not', async () => {
  // Phones are restored where the service listens as before.
  const env = { SIP_PORT: String(await freePort()) };
  const pbx = await startPbx({
    env,
    agents: Object.fromEntries(AGENTS.map((each) => [each, {}])),
    numbers: Object.fromEntries(AGENTS.slice(0, 4).map((each) => [`7${each}`, extension(each)])),
  });
  closing.push(() => pbx.remove());
  const stays = await registered(pbx, '1001');
  const goes = await registered(pbx, '1002');
  const overTcp = await registered(pbx, '1003', 'tcp');
  await registered(pbx, '1004');
  await registered(pbx, '1005');
  // A REGISTER waits for its write.
  const stored = () => readRows(pbx.dataDir, 'SELECT agent FROM bindings').length === AGENTS.length;
  await waitUntil('stored registrations', stored, 60_000);
  const { status } = await call(pbx.url, 'POST', `/v1/agent/${eidOf('1004')}/sip_password`);
  expect(status).toBe(200);
  const deleted = await call(pbx.url, 'DELETE', `/v1/agent/${eidOf('1005')}`);
  expect(deleted.status, deleted.text).toBeLessThan(300);
  await pbx.stop('SIGKILL');
  goes.faults.ignore = ['OPTIONS', 'INVITE'];

  const startedMs = performance.now();
  const again = await restartPbx(pbx, env);
  closing.push(() => again.stop('SIGKILL'));
  const readyMs = performance.now() - startedMs;
  await reaches(again, '1001', stays);
  figure('R29', `ready ${Math.round(readyMs)} ms after kill -9, an agent's UDP phone called at once`);
  expect(await phonesOf(again, '1001')).toMatchObject([{ reachable: true }]);
  expect(await phonesOf(again, '1004')).toEqual([]);
  // A probe waits for an answer for 4 s.
  await expect.poll(() => phonesOf(again, '1002')).toMatchObject([{ reachable: false }]);
  // Not behind NAT: a new connection to its Contact reaches it.
  await expect.poll(() => phonesOf(again, '1003')).toMatchObject([{ reachable: true }]);
  await reaches(again, '1003', overTcp);
  await reaches(again, '1001', stays);
  expect(again.log.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);

  // A clean stop keeps them as well, and a phone that unregisters is forgotten.
  expect(await again.stop()).toBe(0);
  const third = await restartPbx(pbx, env);
  closing.push(() => third.stop('SIGKILL'));
  await reaches(third, '1001', stays);
});
