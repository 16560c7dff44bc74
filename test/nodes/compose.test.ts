// Both compose files, started without a container engine: test/nodes/support/compose.ts says how.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { has } from '../phones/support/program.ts';
import { readCompose, yamlMissing } from '../support/compose-file.ts';
import { Phone } from '../support/phone/phone.ts';
import { postgresMissing } from '../support/postgres.ts';
import { call as ask, type Json } from '../support/service.ts';
import { ComposeServices } from './support/compose.ts';
import { sleep } from './support/report.ts';

const BEEP_HZ = 1_000;

describe.skipIf(yamlMissing())('deploy/compose.yml', () => {
  it('starts, is healthy and has nothing to complain about, and ends on SIGTERM', async () => {
    const services = new ComposeServices(readCompose('deploy/compose.yml', {}), null);
    try {
      await services.startNode('dialtree');
      const doctor = [process.execPath, 'dist/dialtree.js', 'doctor', '--no-call'];
      // Throws unless its exit code is 0.
      services.run('dialtree', doctor);
      expect(await services.stop('dialtree')).toBe(0);
    } finally {
      await services.close();
    }
  });
});

describe.skipIf(yamlMissing() || postgresMissing() || !has('kamailio'))('deploy/compose.cluster.yml', () => {
  const NODES = ['node-1', 'node-2', 'node-3'];
  const TOKEN = 'ab'.repeat(24);
  const HERE = '10.105.0.1';
  let services: ComposeServices;
  const phones: Phone[] = [];

  beforeAll(async () => {
    const variables = {
      SECRET_KEY: 'cd'.repeat(32),
      POSTGRES_PASSWORD: 'ef'.repeat(16),
      ACCESS_TOKEN: TOKEN,
    };
    services = new ComposeServices(readCompose('deploy/compose.cluster.yml', variables), `${HERE}/24`);
    await services.startPostgres('postgres');
    await services.startKamailio('kamailio');
    await Promise.all(NODES.map((name) => services.startNode(name)));
  });
  afterAll(async () => {
    for (const phone of phones) phone.close();
    await services?.close();
  });

  const api = async (node: string, path: string, body?: object): Promise<Json> => {
    const url = `http://${services.addressOf(node)}:8080`;
    const { json } = await ask(url, body ? 'POST' : 'GET', path, { token: TOKEN, ...(body ? { body } : {}) });
    return json;
  };
  /** What one node is told the others know within a second, on a machine that is not too busy. */
  const known = (): Promise<void> => sleep(3_000);
  /** The phone of an agent of the demonstration, at Kamailio. */
  async function agent(eid: string, intercom: string): Promise<Phone> {
    const { sip_password: password } = await api('node-1', `/v1/agent/${eid}/sip_password`, {});
    await known();
    const server = { host: services.addressOf('kamailio') ?? '', port: 5060 };
    const phone = await Phone.open({ server, host: HERE, user: intercom, password });
    phones.push(phone);
    expect(await phone.register()).toBe(200);
    return phone;
  }

  it('three nodes know each other, and their telephones are one', async () => {
    const { data } = await api('node-2', '/v1/nodes');
    expect(data.map(({ id, state }: Json) => [id, state]).toSorted()).toEqual(
      NODES.map((id) => [id, 'running']),
    );
    const [first, second] = [await agent('100001', '1001'), await agent('100002', '1002')];
    await known();
    const call = await first.call('1002');
    const rung = await second.incoming();
    await rung.answer();
    await call.answered();
    await rung.sendTone(1_700);
    await call.hears(1_700, { forMs: 200 });
    await call.hangUp();
    await rung.ended();
  });

  it('a voicemail message is heard at every node: SOUND_STORE is one volume', async () => {
    const { id: box } = await api('node-1', '/v1/voicemail_box', { name: 'Office' });
    await api('node-1', '/v1/number', { number: '200', destination: `voicemail||${box}` });
    await known();
    const caller = await agent('100003', '1003');
    const call = await (await caller.call('200')).answered();
    await call.hears(BEEP_HZ, { forMs: 60, withinMs: 30_000 });
    await call.sendTone(1_780);
    await sleep(2_000);
    await call.hangUp();
    const messages = async (): Promise<Json[]> => (await api('node-3', '/v1/voicemails')).data;
    await expect.poll(messages).toHaveLength(1);
    const [{ id } = { id: '' }] = await messages();
    for (const node of NODES) {
      const url = `http://${services.addressOf(node)}:8080`;
      const { status, text } = await ask(url, 'GET', `/v1/voicemail/${id}/audio`, { token: TOKEN });
      expect([status, text.length > 10_000], node).toEqual([200, true]);
    }
  });

  it('a node is stopped, and calls go on', async () => {
    expect(await services.stop('node-2')).toBe(0);
    const caller = phones[0] as Phone;
    for (let count = 0; count < 4; count++) await (await (await caller.call('100')).answered()).hangUp();
    const { data } = await api('node-1', '/v1/nodes');
    expect(data.filter(({ state }: Json) => state === 'running')).toHaveLength(2);
  });
});
