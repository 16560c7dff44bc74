// Idempotency-Key, over real sockets on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onBothDatabases } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { type CallOptions, call, type SharedService } from '../support/service.ts';

onBothDatabases((database) => {
  let service: SharedService;
  beforeAll(async () => {
    service = await database.service();
  });
  afterAll(() => service?.remove());

  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, options);
  const known = (changes = {}) =>
    menu({ timeout_retry_recording: 'still-there', timeout_recording: 'connecting', ...changes });

  describe('Idempotency-Key', () => {
    const post = (key: string, body: unknown) =>
      send('POST', '/v1/ivr', { body, headers: { 'idempotency-key': key } });
    const count = async () => {
      let total = 0;
      for (let path: string | null = '/v1/ivrs?limit=500'; path; ) {
        const reply = await send('GET', path);
        total += reply.json.data.length;
        path = reply.json.next_cursor ? `/v1/ivrs?limit=500&cursor=${reply.json.next_cursor}` : null;
      }
      return total;
    };

    it('gives the first answer again for the same body, and creates nothing more', async () => {
      const body = known({ name: 'once' });
      const first = await post('key-1', body);
      const before = await count();
      const second = await post('key-1', body);
      expect(second.status).toBe(201);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
      expect(first.headers.get('idempotency-replayed')).toBeNull();
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect(await count()).toBe(before);
    });

    it('is refused with 422 for another body', async () => {
      await post('key-2', known({ name: 'one' }));
      const reply = await post('key-2', known({ name: 'two' }));
      expect([reply.status, reply.json.Code]).toEqual([422, 'idempotency_key_reused']);
    });

    it('answers 409 while the first still runs, and never creates two', async () => {
      const before = await count();
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => post('key-3', known({ name: 'race' }))),
      );
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status !== 201 && status !== 409)).toEqual([]);
      expect(statuses).toContain(201);
      expect(await count()).toBe(before + 1);
    });

    it('does not keep failures of validation', async () => {
      expect((await post('key-4', known({ timeout: 'x' }))).status).toBe(400);
      expect((await post('key-4', known())).status).toBe(201);
    });

    it.each(['', 'x'.repeat(256)])('%j is refused', async (key) => {
      expect((await post(key, known())).json.Code).toBe('idempotency_key_malformed');
    });

    it('has room for 255 characters, and each route has keys of its own', async () => {
      const key = 'y'.repeat(255);
      expect((await post(key, known())).status).toBe(201);
      const team = await send('POST', '/v1/team', {
        body: { name: 'x' },
        headers: { 'idempotency-key': key },
      });
      expect(team.headers.get('idempotency-replayed')).toBeNull();
    });
  });
});
