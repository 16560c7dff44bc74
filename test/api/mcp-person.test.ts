// An assistant whose client can ask the person: what it asks, and what it does not.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { call, runDialtree, type Service, startService, TOKEN } from '../support/service.ts';
import { Assistant } from './support/assistant.ts';

onAnyDatabase((database) => {
  let service: Service;
  let drafter: string;
  let writer: string;
  beforeAll(async () => {
    const env = await database.environment();
    service = await startService({ env: { ...env, DEMO: 'on' } });
    const { out } = await runDialtree(['token', 'create', '--name', 'assistant', '--assistant'], {
      dataDir: service.dataDir,
      env,
    });
    drafter = out.trim();
    writer = (await api('POST', '/v1/token', { name: 'writer', scopes: ['read', 'write'] })).json.token;
  });
  afterAll(() => service?.remove());
  afterEach(() => call(service.url, 'DELETE', '/v1/draft'));

  const api = (method: string, path: string, body?: object) =>
    call(service.url, method, path, { token: TOKEN, ...(body ? { body } : {}) });

  it('a token that may not publish is told so before the person is asked', async () => {
    const asked: string[] = [];
    const person = (question: string): boolean => asked.push(question) > 0;
    const one = await new Assistant('stdio', { url: service.url, token: drafter, person }).connect();
    try {
      await one.use('draft_change', { kind: 'department', id: 'sales', changes: { description: 'barred' } });
      const { hash } = (await one.use('show_difference')).value;
      const refused = await one.use('publish', { hash, reason: 'x' });
      expect(refused).toMatchObject({ ok: false, value: { Code: 'scope_missing' } });
      expect(refused.value.Message).toContain('the scope write');
      expect(asked).toEqual([]);
      expect((await one.use('publish', { hash: '0'.repeat(64), reason: 'x' })).value.Code).toBe(
        'scope_missing',
      );
      expect((await one.use('show_difference')).value.hash).toBe(hash);
    } finally {
      await one.close();
    }
  });

  it('a client that can ask the person does, and publishes nothing without a yes', async () => {
    const asked: string[] = [];
    let answer = false;
    const person = (question: string): boolean => {
      asked.push(question);
      return answer;
    };
    const one = await new Assistant('stdio', { url: service.url, token: writer, person }).connect();
    try {
      await one.use('draft_change', { kind: 'department', id: 'sales', changes: { description: 'asked' } });
      const { hash, difference } = (await one.use('show_difference')).value;
      expect((await one.use('publish', { hash, reason: 'x' })).value.Code).toBe('not_confirmed');
      expect(asked).toEqual([expect.stringContaining(difference)]);
      expect((await api('GET', '/v1/department/sales')).json.description).not.toBe('asked');
      answer = true;
      expect(await one.use('publish', { hash, reason: 'x' })).toMatchObject({ ok: true });
      expect((await api('GET', '/v1/department/sales')).json.description).toBe('asked');
    } finally {
      await one.close();
    }
  });
});
