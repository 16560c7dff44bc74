// The linter, the simulator and stored tests over HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { type CallOptions, call, type Json, type Service, startService } from '../support/service.ts';

const known = (changes = {}) =>
  menu({ timeout_retry_recording: 'still-there', timeout_recording: 'connecting', ...changes });

onAnyDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { ...(await database.environment()), DEMO: 'on' } });
  });
  afterAll(() => service?.remove());

  const send = (method: string, path: string, options: CallOptions = {}) =>
    call(service.url, method, path, options);
  const post = (path: string, body: object = {}) => send('POST', path, { body });
  const create = async (changes = {}): Promise<string> => {
    const reply = await post('/v1/ivr', known(changes));
    expect(reply.status, reply.text).toBe(201);
    return reply.headers.get('location') ?? '';
  };
  const codes = (reply: Json): string[] =>
    reply.json.data.map(({ code, pointer }: Json) => `${code} ${pointer}`);

  describe('the simulator', () => {
    it('calls the demonstration menu: every prompt, key and decision, with times and the outcome', async () => {
      const { status, json } = await post('/v1/ivr/main/simulate', { script: '9,2,answer 4s' });
      expect(status).toBe(200);
      expect(json.outcome).toMatchObject({ kind: 'connected', destination: 'extension||100003', cause: 16 });
      expect(json.steps.map(({ code }: Json) => code)).toEqual(
        expect.arrayContaining([
          'answered',
          'playing',
          'key-pressed',
          'invalid-retry',
          'option-matched',
          'ringing',
          'connected',
        ]),
      );
      expect(json.heard.map(({ recording }: Json) => recording)).toEqual(['welcome', 'invalid', 'welcome']);
      expect(json.visited).toEqual(['ivr||main', 'department||support']);
    });

    it('happens now where no time is given, as its description says', async () => {
      const beforeMs = Date.now();
      const { json } = await post('/v1/ivr/main/simulate', { script: '2' });
      const startedMs = Date.parse(json.started_at);
      expect(startedMs >= beforeMs && startedMs <= Date.now(), json.started_at).toBe(true);
    });

    it('follows its script: who is busy, when it is, who calls', async () => {
      const busy = {
        'extension||100003': 'busy',
        'extension||100002': 'no-answer',
        'extension||100001': 'unreachable',
      };
      const { json } = await post('/v1/ivr/main/simulate', {
        script: '2',
        at: '2026-12-24T18:00:00Z',
        agents: busy,
      });
      expect(json.started_at).toBe('2026-12-24T18:00:00.000Z');
      expect(json.visited).toEqual(['ivr||main', 'department||support', 'extension||100001']);
      expect(json.outcome).toMatchObject({ kind: 'hung-up', reason: 'agent-unreachable' });
    });

    it('hours of call take no time', async () => {
      const path = await create({ timeout: 600, timeout_tries: 20 });
      const { json } = await post(`${path}/simulate`, { script: Array(21).fill('wait').join(',') });
      expect(json.duration_ms).toBeGreaterThan(3 * 3_600_000);
      expect(json.outcome).toMatchObject({ kind: 'connected' });
    });

    it('calls a menu that is not stored, among the records that are', async () => {
      const { json } = await post('/v1/simulate', {
        ivr: known({ destination: ['ivr||main', 'extension||100002'] }),
        script: '1,0',
      });
      expect(json.visited.slice(1)).toEqual(['ivr||main', 'extension||100001']);
      expect(json.outcome).toMatchObject({ kind: 'connected', destination: 'extension||100001' });
    });

    it('reports what is wrong with the payload and with the script, with pointers', async () => {
      const payload = await post('/v1/simulate', { ivr: menu({ timeout: 'x' }), script: '1' });
      expect(payload.json.Errors).toMatchObject([{ Pointer: '/ivr/timeout', Code: 'number_malformed' }]);
      const script = await post('/v1/ivr/main/simulate', {
        script: '1,dance',
        agents: { 'extension||1': 'sleeps' },
      });
      expect(script.json.Errors.map(({ Pointer }: Json) => Pointer)).toEqual([
        '/script',
        '/agents/extension||1',
      ]);
      expect(script.json.Errors[0].Message).toContain('position 3');
      expect((await post('/v1/simulate', { script: '1' })).json.Errors).toMatchObject([{ Pointer: '/ivr' }]);
      expect((await post('/v1/ivr/unknown/simulate', {})).status).toBe(404);
    });

    it('the SMS of an option is queued only when the setting is on', async () => {
      const { id } = (await post('/v1/sms_template', { name: 'x', text: 'Hello' })).json;
      const path = await create({ sms_template: [id] });
      expect((await post(`${path}/simulate`, { script: '1' })).json.sms).toEqual([]);
      await send('PATCH', '/v1/settings', { body: { sms_templates: true } });
      expect((await post(`${path}/simulate`, { script: '1' })).json.sms).toEqual([id]);
      await send('PATCH', '/v1/settings', { body: { sms_templates: false } });
    });

    it('phones ring as long as the setting says, here and in the whole account', async () => {
      const path = await create({});
      const rung = async () =>
        JSON.stringify((await post(`${path}/simulate`, { script: '1,no-answer' })).json.steps);
      expect(await rung()).toContain('for 25 s');
      const faulty = await send('PATCH', '/v1/settings', { body: { ring_seconds: 4 } });
      expect(faulty.json.Errors).toMatchObject([{ Pointer: '/ring_seconds', Code: 'number_out_of_range' }]);
      await send('PATCH', '/v1/settings', { body: { ring_seconds: 7, several_calls_per_agent: true } });
      expect(await rung()).toContain('for 7 s');
      const { json } = await send('GET', '/v1/settings');
      expect(json).toMatchObject({ ring_seconds: 7, several_calls_per_agent: true, loopback_calls: true });
      await send('PATCH', '/v1/settings', { body: { ring_seconds: 25, several_calls_per_agent: false } });
    });
  });

  describe('the linter', () => {
    it('speaks in the answer to a creation, in the record and at /lint', async () => {
      const reply = await post(
        '/v1/ivr',
        known({ option: ['1', '12'], timeout: 0, destination: ['extension||100001', 'hangup||now'] }),
      );
      expect(reply.status).toBe(201);
      expect(reply.json.Message).toContain('2 warnings');
      const path = reply.headers.get('location') ?? '';
      expect(codes(await send('GET', `${path}/lint`))).toEqual([
        'option-shadowed /option/0',
        'timeout-zero-retries /timeout',
      ]);
      const { json } = await send('GET', path);
      expect(json.warnings.map(({ code }: Json) => code)).toEqual([
        'option-shadowed',
        'timeout-zero-retries',
      ]);
    });

    it('sees a blocked agent and a loop through other menus, as they are now', async () => {
      const first = await create({ name: 'first' });
      const id = first.slice('/v1/ivr/'.length);
      const second = await create({ name: 'second', timeout_destination: `ivr||${id}` });
      expect(codes(await send('GET', `${first}/lint`))).toEqual([]);
      await send('PUT', first, {
        body: known({ timeout_destination: `ivr||${second.slice('/v1/ivr/'.length)}` }),
      });
      expect(codes(await send('GET', `${first}/lint`))).toEqual(['loop-without-input /timeout_destination']);
      await post('/v1/agent/100002/block');
      expect(codes(await send('GET', `${first}/lint`))).toContain('agent-blocked /destination/1');
      await post('/v1/agent/100002/unblock');
      expect((await send('GET', '/v1/ivr/unknown/lint')).status).toBe(404);
    });

    it('numbers that hide a star code, with the number and in the whole account', async () => {
      const number = { number: '*462', destination: 'ivr||main' };
      const { json, headers } = await send('POST', '/v1/number', { body: number });
      expect(json.Message).toContain('not the star code *46');
      const { data } = (await send('GET', '/v1/lint')).json;
      expect(data.filter(({ code }: Json) => code === 'star-code-hidden')).toMatchObject([
        { node: 'number||*462', pointer: '/number' },
      ]);
      await send('DELETE', String(headers.get('location')));
    });

    it('the whole account: a menu nobody reaches, until a menu leads there; changes count at once', async () => {
      const lonely = await create({ name: 'lonely' });
      const ref = `ivr||${lonely.slice('/v1/ivr/'.length)}`;
      const unreached = async () => {
        const { json } = await send('GET', '/v1/lint');
        return json.data.filter(({ code, node }: Json) => code === 'menu-unreached' && node === ref).length;
      };
      expect(await unreached()).toBe(1);
      const main = (await send('GET', '/v1/ivr/main')).json;
      const { destination, option } = main;
      await send('PUT', '/v1/ivr/main', {
        body: { ...main, option: [...option, '9'], destination: [...destination, ref] },
      });
      expect(await unreached()).toBe(0);
      await send('PUT', '/v1/ivr/main', { body: main });
      expect(await unreached()).toBe(1);
      await send('DELETE', lonely);
      expect(await unreached()).toBe(0);
    });
  });

  describe('stored tests', () => {
    const tests = [
      {
        name: 'sales is 1',
        script: '1,answer',
        expect: { outcome: 'connected', destination: 'extension||100001' },
      },
    ];

    it('a menu carries tests, shows them, and runs them when asked', async () => {
      const path = await create({ tests });
      expect((await send('GET', path)).json.tests).toEqual(tests);
      const { json } = await post(`${path}/test`);
      expect(json.data).toEqual([{ name: 'sales is 1', passed: true, differences: [] }]);
      const traced = (await post(`${path}/test?trace=0`)).json.data[0];
      expect(traced).toMatchObject({ passed: true, trace: { outcome: { kind: 'connected' } } });
      expect((await post(`${path}/test?trace=1`)).json).toEqual(json);
      expect((await post(`${path}/test?trace=20`)).json.Code).toBe('query_invalid');
    });

    it('an update that breaks one is refused with what differed, and nothing is stored', async () => {
      const path = await create({ tests });
      const body = known({ tests, destination: ['extension||100002', 'extension||100001'] });
      const refused = await send('PUT', path, { body });
      expect([refused.status, refused.json.Code]).toEqual([409, 'tests_failed']);
      expect(refused.json.Message).toContain(
        'destination: expected extension||100001, was extension||100002.',
      );
      expect(refused.json.Tests).toEqual([
        { name: 'sales is 1', passed: false, differences: [expect.any(String)] },
      ]);
      expect((await send('GET', path)).json.version).toBe(1);
      expect((await send('PUT', `${path}?skip_tests=true`, { body })).status).toBe(200);
      expect((await post(`${path}/test`)).json.data[0].passed).toBe(false);
      expect((await send('PUT', `${path}?skip_tests=perhaps`, { body })).status).toBe(400);
    });

    it('a restore runs the tests of the version it brings back, against what is there now', async () => {
      const agent = (await post('/v1/agent', { name: 'Leaves' })).json.eid;
      const leaving = [{ name: 'reaches Leaves', script: '1', expect: { outcome: 'connected' } }];
      const path = await create({
        tests: leaving,
        destination: [`extension||${agent}`, 'extension||100001'],
      });
      await send('PUT', path, { body: known() });
      await post(`/v1/agent/${agent}/block`);
      const refused = await post(`${path}/restore/1`);
      expect([refused.status, refused.json.Code]).toEqual([409, 'tests_failed']);
      expect((await post(`${path}/restore/1?skip_tests=true`)).status).toBe(200);
    });

    it('a creation with a failing test is refused too, and faults in tests are pointed at', async () => {
      expect((await post('/v1/ivr', known({ tests: [{ ...tests[0], script: '2' }] }))).json.Code).toBe(
        'tests_failed',
      );
      const bad = await post(
        '/v1/ivr',
        known({ tests: [{ name: '', script: 'x', expect: { outcome: 'married' } }] }),
      );
      expect(bad.json.Errors.map(({ Pointer, Code }: Json) => `${Pointer} ${Code}`)).toEqual([
        '/tests/0/script test_malformed',
        '/tests/0/name test_malformed',
        '/tests/0/expect/outcome test_malformed',
      ]);
      const many = Array.from({ length: 21 }, () => tests[0]);
      expect((await post('/v1/ivr', known({ tests: many }))).json.Errors).toMatchObject([
        { Pointer: '/tests', Code: 'list_too_long' },
      ]);
    });

    it('the demonstration menu passes its own tests', async () => {
      const { json } = await post('/v1/ivr/main/test');
      expect(json.data.map(({ passed }: Json) => passed)).toEqual([true, true]);
    });
  });
});
