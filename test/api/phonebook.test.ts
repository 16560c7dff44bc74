// Phonebooks of desk phones, over real sockets: who gets them, for how long, and what is in them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { type CallOptions, call, type Json, type Service, startService } from '../support/service.ts';

onAnyDatabase((database) => {
  let service: Service;
  let agent: Json;
  beforeAll(async () => {
    const env = {
      ...(await database.environment()),
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT: '1000',
      RATE_LIMIT_LOOPBACK: 'off',
    };
    service = await startService({ env });
    const body = { name: 'Zoë <&"\' Rao', intercom: '4711' };
    agent = (await send('POST', '/v1/agent', { body })).json;
    const numbers = ['+46 8 123 456 78', '+46 70 1', '+46 70 2', '+46 70 3'];
    await send('POST', '/v1/contact', { body: { name: 'Mira ]]>', company: 'A & B', numbers } });
    await send('POST', '/v1/contact', { body: { name: 'Åke', numbers: ['100'] } });
  });
  afterAll(() => service?.remove());

  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, options);
  const made = async (): Promise<Json> => {
    const reply = await send('POST', `/v1/agent/${agent['eid']}/phonebook`);
    expect(reply.status, reply.text).toBe(200);
    return reply.json;
  };
  /** As a phone: without a token. */
  const fetched = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${service.url}${path}`, init);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { status, headers } = response;
    return { status, type: headers.get('content-type'), text: await response.text() };
  };

  it('are read by their address alone, as often as a phone asks, in the form of each maker', async () => {
    const { paths } = await made();
    const yealink = await fetched(paths.yealink);
    expect(yealink).toMatchObject({ status: 200, type: 'text/xml; charset=utf-8' });
    expect(yealink.text).toContain('<Name>Zoë &lt;&amp;&quot;&apos; Rao</Name><Telephone>4711</Telephone>');
    expect(yealink.text).toContain('<Name>Mira ]]&gt; (A &amp; B)</Name><Telephone>+4681234567');
    expect(yealink.text.match(/<Telephone>\+46/g)).toHaveLength(3);
    expect(yealink.text.indexOf('Zoë')).toBeLessThan(yealink.text.indexOf('Mira'));
    const again = await fetched(paths.snom, { method: 'POST' });
    expect(again.status, again.text).toBe(200);
    expect(again.text).toContain('<organization>A &amp; B</organization>');
    expect(again.text.match(/<number no="\+46/g)).toHaveLength(4);
    const grandstream = await fetched(`${paths.grandstream}/phonebook.xml`);
    expect(grandstream.text).toContain('<phonenumber>100</phonenumber><accountindex>0</accountindex>');
    expect(await fetched(paths.yealink, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect((await fetched(`${paths.grandstream}/other.xml`)).status).toBe(404);
    const contacts = (await send('GET', '/v1/contacts')).json.data;
    expect(JSON.stringify(contacts)).not.toContain(paths.yealink);
    expect(service.log.join('\n')).not.toContain(paths.grandstream);
  });

  it('end with the SIP password of the agent, and a code for another purpose opens none', async () => {
    const { paths } = await made();
    const { code } = (await send('POST', `/v1/agent/${agent['eid']}/provisioning`, { body: {} })).json;
    expect((await fetched(`/phonebook/${code}/yealink.xml`)).status).toBe(404);
    expect((await fetched(paths.yealink)).status).toBe(200);
    await send('POST', `/v1/agent/${agent['eid']}/sip_password`);
    const gone = await fetched(paths.yealink);
    expect(gone.status).toBe(404);
    expect(gone.text).not.toContain('Mira');
  });

  it('are not found by guessing: wrong codes are counted for each network', async () => {
    const ask = () =>
      fetched('/phonebook/v1.wrong/yealink.xml', { headers: { 'x-forwarded-for': '198.51.100.9' } });
    const statuses = new Set<number>();
    for (let count = 0; count < 15; count++) statuses.add((await ask()).status);
    expect([...statuses]).toEqual([404, 429]);
    expect((await send('POST', '/v1/agent/none/phonebook')).status).toBe(404);
  });
});
