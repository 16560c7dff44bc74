// The block list, caller-id rules, and what no two numbers of an account may share.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { call, type Json, type SharedService } from '../support/service.ts';
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

  describe('the block list', () => {
    test('takes numbers, beginnings and those withheld; each is read, replaced, listed and deleted', async () => {
      const made = await ask('POST', '/v1/blocked_number', { number: '+49900*', reason: 'Spam' });
      expect(made.status, made.text).toBe(201);
      const path = `/v1/blocked_number/${made.json.id}`;
      expect((await ask('GET', path)).json).toMatchObject({
        number: '+49900*',
        anonymous: false,
        dialled: null,
        reason: 'Spam',
      });
      const all = { anonymous: true, dialled: '+100', reason: 'Nobody' };
      expect((await ask('PUT', path, all)).status).toBe(200);
      await ask('POST', '/v1/blocked_number', { number: 4930 });
      const found = async (query: string): Promise<number> =>
        (await ask('GET', `/v1/blocked_numbers?${query}`)).json.data.length;
      expect([
        await found(''),
        await found('q=nobody'),
        await found('q=493'),
        await found('dialled=100'),
      ]).toEqual([2, 1, 1, 1]);
      expect(await found('dialled=100&q=493')).toBe(0);
      expect((await ask('DELETE', path)).status).toBe(200);
      expectFailure(await ask('GET', path), 'record_unknown');
    });

    test('has each entry once, however it is written', async () => {
      expect((await ask('POST', '/v1/blocked_number', { number: '+4411' })).status).toBe(201);
      const again = await ask('POST', '/v1/blocked_number', { number: '4411' });
      expectFailure(again, 'key_taken');
      expect(again.json.Message).toBe('Another blocked number has the number 4411 already.');
      for (const other of [{ number: '4411*' }, { number: '4411', dialled: '100' }, { anonymous: true }])
        expect((await ask('POST', '/v1/blocked_number', other)).status).toBe(201);
      expectFailure(await ask('POST', '/v1/blocked_number', { anonymous: true }), 'key_taken');
    });

    test.each([
      ['nobody', {}, '/number'],
      ['everybody', { number: '*' }, '/number'],
      ['a star within', { number: '49*30' }, '/number'],
      ['a name', { number: 'alice' }, '/number'],
      ['both at once', { number: '49', anonymous: true }, '/anonymous'],
      ['calls to a name', { number: '49', dialled: 'sales' }, '/dialled'],
      ['a long reason', { number: '49', reason: 'x'.repeat(201) }, '/reason'],
    ])('does not take %s', async (_, body, pointer) => {
      const reply = await ask('POST', '/v1/blocked_number', body);
      expectFailure(reply, 'fields_invalid');
      expect(reply.json.Errors).toMatchObject([{ Pointer: pointer }]);
    });
  });

  describe('caller-id rules', () => {
    test('are created, read, replaced, listed and deleted', async () => {
      const body = { name: 'Sales', department: 'support', agent: 7, show: 4930123 };
      const made = await ask('POST', '/v1/caller_id_rule', body);
      expect(made.json.Message).toBe(
        'Caller-id rule created, with 2 warnings: agent: extension||7 does not exist: the rule fits no call. department: department||support does not exist: the rule fits no call.',
      );
      const path = `/v1/caller_id_rule/${made.json.id}`;
      expect((await ask('GET', path)).json).toMatchObject({
        priority: 100,
        trunk: null,
        agent: 'extension||7',
        department: 'department||support',
        prefix: null,
        show: '4930123',
      });
      expect(
        (await ask('PUT', path, { name: 'All', priority: 5, prefix: '+44', show: 'withhold' })).status,
      ).toBe(200);
      expect((await ask('GET', '/v1/caller_id_rules?q=withhold')).json.data).toMatchObject([
        { name: 'All', priority: 5, prefix: '+44', agent: null, version: 2 },
      ]);
      expect((await ask('DELETE', path)).status).toBe(200);
    });

    test('keep what they name from being deleted', async () => {
      const trunk = (await ask('POST', '/v1/trunk', { name: 'T', host: '192.0.2.71' })).json.id;
      const { eid } = (await ask('POST', '/v1/agent', { name: 'A' })).json;
      const department = (await ask('POST', '/v1/department', { name: 'D' })).json.id;
      const body = { name: 'R', trunk: `trunk|${trunk}`, agent: eid, department, show: 'caller' };
      const made = await ask('POST', '/v1/caller_id_rule', body);
      expect(made.json.Message).toBe('Caller-id rule created.');
      for (const path of [`/v1/trunk/${trunk}`, `/v1/agent/${eid}`, `/v1/department/${department}`]) {
        const refused = await ask('DELETE', path);
        expectFailure(refused, 'still_referenced');
        expect(refused.json.ReferencedBy).toMatchObject([{ kind: 'caller_id_rule', name: 'R' }]);
      }
    });

    test.each([
      ['no number to show', { name: 'x' }, '/show', 'field_missing'],
      ['a name to show', { name: 'x', show: 'Acme' }, '/show', 'text_malformed'],
      [
        'a trunk of another kind',
        { name: 'x', show: '1', trunk: 'extension||1' },
        '/trunk',
        'text_malformed',
      ],
      ['a prefix of letters', { name: 'x', show: '1', prefix: 'UK' }, '/prefix', 'text_malformed'],
      ['a priority below zero', { name: 'x', show: '1', priority: -1 }, '/priority', 'number_out_of_range'],
    ])('with %s are refused', async (_, body, pointer, code) => {
      const reply = await ask('POST', '/v1/caller_id_rule', body);
      expectFailure(reply, 'fields_invalid');
      expect(reply.json.Errors).toMatchObject([{ Pointer: pointer, Code: code }]);
    });
  });

  describe('numbers', () => {
    test('with and without the plus are one', async () => {
      for (const [first, second] of [
        ['+4930777', '4930777'],
        ['4930778', '+4930778'],
      ]) {
        expect((await ask('POST', '/v1/number', { number: first, ...now })).status).toBe(201);
        const refused = await ask('POST', '/v1/number', { number: second, ...now });
        expectFailure(refused, 'key_taken');
        expect(refused.json.Message).toBe(`Another number has the number ${second} already.`);
      }
      const { data } = (await ask('GET', '/v1/numbers?q=4930777')).json;
      const path = `/v1/number/${data[0].id}`;
      expect((await ask('PUT', path, { number: '4930777', ...now })).status).toBe(200);
      expectFailure(await ask('PUT', path, { number: '+4930778', ...now }), 'key_taken');
    });

    test('are found by where they lead', async () => {
      for (const number of ['8801', '8802', '9901'])
        await ask('POST', '/v1/number', { number, destination: 'hangup||busy' });
      const numbers = async (query: string): Promise<string[]> =>
        (await ask('GET', `/v1/numbers?${query}`)).json.data.map(({ number }: Json) => number);
      expect(await numbers('destination=hangup%7C%7Cbusy')).toEqual(['8801', '8802', '9901']);
      expect(await numbers('destination=hangup%7Cbusy&q=88&limit=1')).toEqual(['8801']);
      expect(await numbers('destination=ivr%7C%7Cnone')).toEqual([]);
      expectFailure(await ask('GET', '/v1/numbers?destination=moon'), 'query_invalid');
    });
  });
});
