// Every operation of our own refuses a member or parameter that it does not know, with the nearest one that it knows. The two of the
// specification tolerate them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Route } from '../../src/api/route.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { onAnyDatabase } from '../support/databases.ts';
import { menu } from '../support/payload.ts';
import { call, type Json, type Reply, type Service, startService } from '../support/service.ts';
import { fill } from './support/document.ts';
import { expectFailure } from './support/failure.ts';

const PLACES = {
  kind: 'ivr',
  id: 'nothing',
  eid: 'nothing',
  version: '1',
  delivery: 'nothing',
  file: 'nothing',
  key: 'nothing',
};
const OWN = ROUTES.filter(({ path, tolerant }) => path.startsWith('/v') && !tolerant);

/** One letter twice: no operation has such a name. */
const mistyped = (name: string): string => name.slice(0, 2) + name.slice(1);

onAnyDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { ...(await database.environment()), RATE_LIMIT: '0', DEMO: 'on' } });
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body ? { body } : {});

  /** Asks every operation; what it should have answered, and did not. */
  async function differences(
    code: 'unknown_parameter' | 'unknown_member',
    asked: readonly Route[],
    fieldsOf: (route: Route) => object,
    send: (route: Route, path: string, name: string) => Promise<Reply>,
  ): Promise<string[]> {
    const wrong: string[] = [];
    for (const route of asked) {
      const [known] = Object.keys(fieldsOf(route));
      const name = known === undefined ? 'naem' : mistyped(known);
      const { status, json, text } = await send(route, fill(route.path, PLACES), name);
      const fault = json?.Errors?.find(({ Code }: Json) => Code === code);
      const message =
        known === undefined
          ? `${name} is unknown: nothing can be sent here.`
          : `${name}: did you mean ${known}?`;
      if (status !== 400 || fault?.Pointer !== `/${name}` || fault.Message !== message)
        wrong.push(`${route.method} ${route.path} ${name}: ${status} ${text}`);
    }
    return wrong;
  }
  const bodyOf = ({ body, example = {} }: Route) => (body ? { ...example } : undefined);

  test('an unknown parameter is refused with the nearest name by every operation of our own', async () => {
    const send = (route: Route, path: string, name: string) =>
      ask(route.method, `${path}?${name}=1`, bodyOf(route));
    expect(await differences('unknown_parameter', OWN, ({ query = {} }) => query, send)).toEqual([]);
  });

  test('an unknown member is refused with the nearest name by every operation of our own', async () => {
    const writing = OWN.filter(({ method }) => method !== 'GET');
    const send = (route: Route, path: string, name: string) =>
      ask(route.method, path, { ...bodyOf(route), [name]: 'x' });
    expect(await differences('unknown_member', writing, ({ body = {} }) => body, send)).toEqual([]);
  });

  test('all faults come at once: unknown names in query and body, wrong values, missing members, rules across fields', async () => {
    const body = {
      ...menu({ name: undefined, option: ['1'] }),
      nmae: 'x',
      tests: [{ name: 'a', expct: {} }],
    };
    const reply = await ask('PUT', '/v1/ivr/main?skip_test=true', body);
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors.map(({ Pointer, Code }: Json) => `${Pointer} ${Code}`).sort()).toEqual(
      [
        '/destination destination_count_differs',
        '/name field_missing',
        '/nmae unknown_member',
        '/skip_test unknown_parameter',
        '/tests/0 test_malformed',
        '/tests/0/expct unknown_member',
      ]
        .map((one) => one.replace('/tests/0 test', '/tests/0/expect test'))
        .sort(),
    );
    expect(reply.json.Message).toContain('nmae: did you mean name?');
  });

  test('settings that are mistyped are not stored', async () => {
    const reply = await ask('PUT', '/v1/settings', { keep_call_record_days: 7, keep_audit_days: 7 });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Message).toBe('keep_call_record_days: did you mean keep_call_records_days?');
    expect((await ask('GET', '/v1/settings')).json.keep_audit_days).not.toBe(7);
  });

  test('fields of a form are checked like members', async () => {
    const form = new FormData();
    form.set('nmae', 'x');
    form.set('speed', 'fast');
    const reply = await call(service.url, 'POST', '/v1/recording', { body: form });
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Errors.map((one: Json) => one.Pointer)).toEqual(['/nmae', '/speed']);
  });

  test('what GET shows can be sent back by PUT, with every member that cannot be set', async () => {
    const lists = OWN.filter(({ method, path }) => method === 'PUT' && path.includes('{'));
    let seen = 0;
    for (const { path } of lists) {
      const list = OWN.find(
        ({ method, id }) => method === 'GET' && id.startsWith('list') && isListOf(id, path),
      );
      const first = list && (await ask('GET', `${list.path}?limit=1`)).json.data[0];
      if (!first) continue;
      const one = fill(path, { id: String(first.id), eid: String(first.eid) });
      const { json: record } = await ask('GET', one);
      const { source: _source, url: _url, text: _text, voice: _voice, ...sent } = record;
      const reply = await ask(
        'PUT',
        `${one}`,
        path.startsWith('/v1/recording') ? withoutNulls(sent) : record,
      );
      expect({ path, message: reply.json.Message, status: reply.status }).toMatchObject({ status: 200 });
      seen += 1;
    }
    expect(seen).toBeGreaterThan(5);
    const { json: settings } = await ask('GET', '/v1/settings');
    expect((await ask('PUT', '/v1/settings', settings)).status).toBe(200);
  });

  test('POST /v1/ivr stores a menu with unknown names and says which were ignored', async () => {
    const reply = await ask('POST', '/v1/ivr?skip_test=true', menu({ colour: 'red', nmae: 'x' }));
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.json)).toEqual(['Success', 'Message']);
    for (const part of [
      'colour is unknown',
      'nmae: did you mean name?',
      'skip_test: did you mean skip_tests?',
    ])
      expect(reply.json.Message).toContain(`Ignored: ${part}`);
    const many = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`${'x'.repeat(90)}${at}`, at]));
    const most = await ask('POST', '/v1/ivr', menu(many));
    expect(most.status).toBe(201);
    expect(most.json.Message.length).toBeLessThan(2000);
    expect(most.json.Message).toContain('or more other unknown names');
  });

  test('POST /v1/ivr needs timeout_tries also where timeout_retries is sent', async () => {
    const reply = await ask('POST', '/v1/ivr', menu({ timeout_tries: undefined, timeout_retries: 3 }));
    expectFailure(reply, 'fields_invalid');
    expect(reply.json.Message).toBe('Missing: timeout_tries.');
  });

  test('unusable values of the two tolerated fields are ignored with a warning, and the menu is stored', async () => {
    for (const unusable of ['', 'junk junk', 'ivr||1', ['x'], {}, false]) {
      const sent = { recording_invalid: unusable, timeout_retries: unusable };
      const created = await ask('POST', '/v1/ivr', menu(sent));
      expect(created.status).toBe(201);
      for (const name of ['recording_invalid: ', 'timeout_retries: '])
        expect(created.json.Message).toContain(name);
      const at = created.headers.get('location') ?? '';
      const { json: shown } = await ask('GET', at);
      expect(shown).toMatchObject({ recording_invalid: null, timeout_retries: null });
      const put = await ask('PUT', at, { ...shown, ...sent });
      expect(put.status).toBe(200);
      expect(put.json.Message).toContain('recording_invalid: ');
    }
    const { headers, json } = await ask('POST', '/v1/ivr', menu({ timeout_retries: '3' }));
    expect(json.Message).not.toContain('timeout_retries');
    expect((await ask('GET', headers.get('location') ?? '')).json.timeout_retries).toBe(3);
  });

  test('POST /v1/ivr ignores an unusable id with a warning; one that is taken is refused', async () => {
    for (const id of ['bad id!', '..', {}, ['x'], false, -1]) {
      const { status, json, headers } = await ask('POST', '/v1/ivr', menu({ id }));
      expect(status, json.Message).toBe(201);
      expect(json.Message).toMatch(/id: .* cannot be used and is ignored; a new id is made\./);
      expect(headers.get('location')).toMatch(/^\/v1\/ivr\/[A-Za-z0-9_-]{10,}$/);
    }
    const chosen = await ask('POST', '/v1/ivr', menu({ id: 'usable' }));
    expect([chosen.headers.get('location'), chosen.json.Message]).toEqual([
      '/v1/ivr/usable',
      expect.not.stringContaining('ignored'),
    ]);
    expectFailure(await ask('POST', '/v1/ivr', menu({ id: 'usable' })), 'key_taken');
    expect((await ask('PUT', '/v1/ivr/usable', menu({ id: 'bad id!' }))).json.Message).not.toContain(
      'ignored',
    );
  });

  test('GET /v1/agents tolerates any parameter', async () => {
    expect((await ask('GET', '/v1/agents?page=2&naem=x')).status).toBe(200);
  });
});

const withoutNulls = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));

/** listIvrs of /v1/ivr/{id}, listVoicemailBoxes of /v1/voicemail_box/{id}. */
function isListOf(id: string, path: string): boolean {
  const noun = (path.split('/')[2] ?? '').replaceAll('_', '');
  return [`list${noun}s`, `list${noun}es`, `list${noun}sv2`].includes(id.toLowerCase());
}
