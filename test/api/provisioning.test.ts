// Addresses by which phones configure themselves, over real sockets.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { type CallOptions, call, type Json, type Service, startService } from '../support/service.ts';

onAnyDatabase((database) => {
  let service: Service;
  let agent: Json;
  beforeAll(async () => {
    const env = {
      ...(await database.environment()),
      SIP: 'on',
      SIP_PORT: '0',
      ADVERTISED_ADDRESS: '192.0.2.10',
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT: '1000',
      RATE_LIMIT_LOOPBACK: 'off',
    };
    service = await startService({ env });
    agent = (await send('POST', '/v1/agent', { body: { name: 'Asha <&"\' Rao' } })).json;
  });
  afterAll(() => service?.remove());

  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, options);
  const provision = async (body: object = {}): Promise<Json> => {
    const made = await send('POST', `/v1/agent/${agent.eid}/provisioning`, { body });
    expect(made.status, made.text).toBe(200);
    return made.json;
  };
  /** As a phone: without a token. */
  const fetched = async (path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}${path}`, { method, headers });
    expect(response.headers.get('cache-control')).toBe('no-store');
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      text: await response.text(),
    };
  };

  it('gives the file out once, with a password that is the agent’s from then on', async () => {
    const beforeMs = Date.now();
    const { paths, code, expires_at } = await provision({ hours: 2 });
    expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(beforeMs + 2 * 3_600_000);
    expect(code.length).toBeLessThan(200);
    for (const other of ['y000000000000.boot', 'cfg.xml']) {
      expect((await fetched(`/provisioning/${code}/${other}`)).status).toBe(404);
    }
    expect(await fetched(paths.linphone, 'HEAD')).toMatchObject({ status: 200, text: '' });
    const file = await fetched(paths.linphone);
    expect(file).toMatchObject({ status: 200, type: 'text/xml; charset=utf-8' });
    expect(file.text).toContain('Asha &lt;&amp;');
    expect(file.text).toContain('&lt;sip:192.0.2.10:');
    const [, password] = /name="passwd" overwrite="true">(\w{20})</.exec(file.text) ?? [];
    expect(password).not.toBe(agent.sip_password);
    const again = await fetched(paths.linphone);
    expect(again.status).toBe(404);
    expect(again.text).not.toContain(password);
    expect((await fetched(paths.yealink)).status).toBe(404);
    const digest = createHash('md5').update(`${agent.intercom}:dialtree:${password}`).digest('hex');
    const audit = (await send('GET', '/v1/audit?kind=agent')).json.data as Json[];
    expect(audit.map(({ action }) => action)).toEqual(['update', 'provision', 'create']);
    expect(JSON.stringify(audit)).not.toContain(code);
    expect(service.log.join('\n')).not.toContain(code);
    expect(service.log.join('\n')).not.toContain(password);
    expect(digest).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    ['yealink', '', 'account.1.password = '],
    ['snom', '', '<user_pass idx="1" perm="">'],
    ['grandstream', '/cfg000b820102ab.xml', '<P34>'],
    ['zoiper', '', '<password>'],
  ])('has a file for %s', async (kind, file, text) => {
    const { paths } = await provision();
    expect(await fetched(`${paths[kind]}${file}`)).toMatchObject({
      status: 200,
      text: expect.stringContaining(text),
    });
    expect((await fetched(`${paths[kind]}${file}`)).status).toBe(404);
  });

  it('gives it to one of two that ask at once', async () => {
    const { paths } = await provision();
    const answers = await Promise.all([fetched(paths.snom), fetched(paths.yealink), fetched(paths.linphone)]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('ends with the password that the agent had, and is nothing that can be made up', async () => {
    const { paths, code } = await provision();
    await send('POST', `/v1/agent/${agent.eid}/sip_password`);
    expect((await fetched(paths.snom)).status).toBe(404);
    const fresh = (await provision()).code as string;
    const bent = `${fresh.slice(0, -3)}${fresh.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    for (const wrong of [bent, code, 'v1.', 'x', 'zoiper'])
      expect((await fetched(`/provisioning/${wrong}/snom.xml`)).status).toBe(404);
    expect((await fetched(`/provisioning/${fresh}/snom.xml`)).status).toBe(200);
  });

  it('lets codes be guessed ten times a minute, and a phone in the same network use its own', async () => {
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const { paths, code } = await provision();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess++) {
      const guessed = `v1.${createHash('sha512').update(String(guess)).digest('base64url')}`;
      statuses.push((await fetched(`/provisioning/${guessed}/snom.xml`, 'GET', from)).status);
    }
    expect(statuses).toEqual([...Array(10).fill(404), 429, 429]);
    expect((await fetched(paths.yealink, 'GET', from)).status).toBe(200);
    expect(service.log.join('\n')).not.toContain(code);
  });

  it('says the same of an address that was used and of one that was never made', async () => {
    const { paths } = await provision();
    await fetched(paths.snom);
    const used = JSON.parse((await fetched(paths.snom)).text);
    const wrong = JSON.parse((await fetched('/provisioning/v1.AAAA/snom.xml')).text);
    expect({ ...used, RequestId: '' }).toEqual({ ...wrong, RequestId: '' });
  });

  it('refuses hours out of range, and an unknown agent', async () => {
    expect((await send('POST', `/v1/agent/${agent.eid}/provisioning`, { body: { hours: 169 } })).status).toBe(
      400,
    );
    expect((await send('POST', '/v1/agent/1/provisioning', { body: {} })).status).toBe(404);
  });
});
