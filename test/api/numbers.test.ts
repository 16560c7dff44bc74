// Dialled numbers: what callers dial, and where it leads.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type SharedService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

onAnyDatabase((database) => {
  let service: SharedService;
  beforeAll(async () => {
    service = await database.service();
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body === undefined ? {} : { body });
  const now = { destination: 'hangup||now' };

  test('a number is created, read, replaced, listed and deleted', async () => {
    const made = await ask('POST', '/v1/number', { number: '+4930123', ...now, description: 'Main line' });
    expect(made.status, made.text).toBe(201);
    expect(made.json).toMatchObject({ Success: true, Message: 'Number created.' });
    const path = made.headers.get('location') ?? '';
    expect(path).toBe(`/v1/number/${made.json.id}`);
    expect((await ask('GET', path)).json).toMatchObject({
      id: made.json.id,
      number: '+4930123',
      destination: 'hangup||now',
      description: 'Main line',
      version: 1,
    });
    const replaced = await ask('PUT', path, { number: 4930124, ...now });
    expect(replaced.status, replaced.text).toBe(200);
    expect((await ask('GET', path)).json).toMatchObject({ number: '4930124', description: '', version: 2 });
    // The former number is free again.
    expect((await ask('POST', '/v1/number', { number: '+4930123', ...now })).status).toBe(201);
    expect((await ask('DELETE', path)).status).toBe(200);
    expectFailure(await ask('GET', path), 'record_unknown');
  });

  test('no two numbers of an account are the same, made or changed', async () => {
    await ask('POST', '/v1/number', { number: '201', ...now });
    expectFailure(await ask('POST', '/v1/number', { number: 201, ...now }), 'key_taken');
    const other = await ask('POST', '/v1/number', { number: '202', ...now });
    const path = other.headers.get('location') ?? '';
    const taken = await ask('PUT', path, { number: '201', ...now });
    expectFailure(taken, 'key_taken');
    expect(taken.json.Message).toBe('Another number has the number 201 already.');
    expect((await ask('GET', path)).json).toMatchObject({ number: '202', version: 1 });
    expect((await ask('PUT', path, { number: '202', ...now, description: 'same' })).status).toBe(200);
  });

  test.each([
    ['letters', 'abc'],
    ['nothing', ''],
    ['a plus alone', '+'],
    ['a plus within', '49+30'],
    ['33 digits', '1'.repeat(33)],
    ['spaces', '030 123'],
    ['a SIP address', 'sip:1@x'],
    ['NUL', '1\0'],
    ['digits of another script', '١٢٣'],
  ])('%s are no number', async (_, number) => {
    const reply = await ask('POST', '/v1/number', { number, ...now });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors).toMatchObject([{ Pointer: '/number', Code: 'text_malformed' }]);
  });

  test.each(['*21#', '0', '+1', '1'.repeat(32)])('%s is a number', async (number) => {
    expect((await ask('POST', '/v1/number', { number, ...now })).status).toBe(201);
  });

  test('a destination that is not there is warned about, and refused in a strict account', async () => {
    const body = { number: '301', destination: 'ivr||none' };
    const made = await ask('POST', '/v1/number', body);
    expect(made.status).toBe(201);
    expect(made.json.Message).toBe(
      'Number created, with one warning: destination: ivr||none does not exist: callers get 404, or what the setting failed_calls says.',
    );
    await ask('PATCH', '/v1/settings', { strict_references: true });
    const refused = await ask('POST', '/v1/number', { ...body, number: '302' });
    await ask('PATCH', '/v1/settings', { strict_references: false });
    expectFailure(refused, 'fields_invalid');
    expect(refused.json.Errors).toMatchObject([{ Pointer: '/destination', Code: 'reference_unknown' }]);
  });

  test('what a number leads to is not deleted, and a number is found by a part of it', async () => {
    const ivr = (await ask('POST', '/v1/ivr', menu())).headers.get('location') ?? '';
    const destination = `ivr||${ivr.split('/').at(-1)}`;
    await ask('POST', '/v1/number', { number: '40088', destination, description: 'The Sales line' });
    const refused = await ask('DELETE', ivr);
    expectFailure(refused, 'still_referenced');
    expect(refused.json.ReferencedBy).toMatchObject([{ kind: 'number', name: '40088' }]);
    for (const q of ['4008', 'sales', ' SALES '])
      expect((await ask('GET', `/v1/numbers?q=${encodeURIComponent(q)}`)).json.data).toMatchObject([
        { number: '40088' },
      ]);
    expect((await ask('GET', '/v1/numbers?q=nowhere')).json).toEqual({ data: [], next_cursor: null });
    expectFailure(await ask('GET', '/v1/numbers?q='), 'query_invalid');
  });

  test('a list goes through all pages, also of a search', async () => {
    for (let index = 10; index < 17; index++)
      await ask('POST', '/v1/number', { number: `7700${index}`, ...now });
    const seen: string[] = [];
    for (let next = '/v1/numbers?q=7700&limit=3'; next !== ''; ) {
      const { json, headers } = await ask('GET', next);
      expect(json.data.length).toBeLessThanOrEqual(3);
      seen.push(...json.data.map(({ number }: { number: string }) => number));
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? '';
      expect(seen.length).toBeLessThanOrEqual(7);
    }
    expect(seen).toEqual(['770010', '770011', '770012', '770013', '770014', '770015', '770016']);
  });
});
