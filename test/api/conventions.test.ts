// The rules of docs/conventions.md over the whole OpenAPI document, and over what a running service answers.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { onAnyDatabase } from '../support/databases.ts';
import { call, type Json, type Service, startService } from '../support/service.ts';
import { expectFailure } from './support/failure.ts';

const document: Json = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, ...operation })),
);
const present = operations.filter(({ deprecated }) => !deprecated);

interface Member {
  readonly place: string;
  readonly name: string;
  readonly schema: Json;
}

/** Every member of every object, at any depth, and every query parameter. */
function membersIn(place: string, schema: Json): Member[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap((one) => membersIn(place, one));
  if (schema.$ref) return membersIn(place, document.components.schemas[schema.$ref.split('/').at(-1)]);
  const own = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, inner]) => [
    { place, name, schema: inner },
    ...membersIn(`${place}/${name}`, inner),
  ]);
  const inside = ['items', 'anyOf', 'oneOf', 'additionalProperties'].map((word) => schema[word]);
  return [...own, ...inside.flatMap((inner) => membersIn(place, inner))];
}

const shown = Object.entries<Json>(document.components.schemas).flatMap(([name, schema]) =>
  membersIn(name, schema),
);
const sent = operations.flatMap((operation: Json) => [
  ...membersIn(
    operation.operationId,
    operation.requestBody?.content['application/json']?.schema ??
      operation.requestBody?.content['application/merge-patch+json']?.schema,
  ),
  ...operation.parameters
    .filter((one: Json) => one.in === 'query')
    .map(({ name, schema, description, deprecated }: Json) => ({
      place: operation.operationId,
      name,
      schema: { ...schema, ...(description ? { description } : {}), ...(deprecated ? { deprecated } : {}) },
    })),
]);
const names = (members: readonly Member[]): string[] => members.map(({ place, name }) => `${place} ${name}`);

/** Words without a plural, and the parts of a path that are not records. */
const ALIKE = new Set([
  'sms',
  'sip_address',
  'audit',
  'statistics',
  'settings',
  'limits',
  'configuration',
  'mail',
]);
const isPlural = (word: string): boolean => word.endsWith('s') && !ALIKE.has(word);

describe('the OpenAPI document', () => {
  const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
  const own = present.filter(({ path }) => path.startsWith('/v'));

  test('a list has a plural path, one record and its creation a singular one', () => {
    const isList = ({ responses }: Json): boolean =>
      responses[200]?.content?.['application/json']?.schema?.properties?.next_cursor !== undefined;
    const wrong = own.filter((operation: Json) => {
      const parts = partsOf(operation.path);
      const last = parts.at(-1) ?? '';
      if (isList(operation)) return !isPlural(last) && !ALIKE.has(last);
      // What stands before the id of one record.
      const at = parts.findLastIndex((part) => part.startsWith('{'));
      if (at > 0 && isPlural(parts[at - 1] ?? '')) return true;
      return operation.responses[201] !== undefined && isPlural(last);
    });
    expect(wrong.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });

  test('members and parameters are in snake_case; those of the answer to a write begin with a capital', () => {
    const keys = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
    const capital = /^(Success|Message|Code|Errors|RequestId|Pointer|Tests|Scope|ReferencedBy|RemovedFrom)$/;
    // Former records have the events that a call was given, with the names of the flow.
    const wrong = [...shown, ...sent].filter(
      ({ place, name }) => !keys.test(name) && !capital.test(name) && !place.endsWith('/events'),
    );
    expect(names(wrong)).toEqual([]);
  });

  test('call_id and sip_call_id are the only names of a call beside its own id', () => {
    const all = [...shown, ...sent].filter(({ schema }) => !schema.deprecated);
    expect(
      names(
        all.filter(
          ({ name, schema }) => /^(call|callid|sip_id|protocol_id)$/.test(name) && schema.type === 'string',
        ),
      ),
    ).toEqual([]);
    const ids = all.filter(({ name }) => name.endsWith('call_id'));
    expect(new Set(ids.map(({ name }) => name))).toEqual(new Set(['call_id', 'sip_call_id']));
    const ofSip = all.filter(({ schema }) => /Call-ID|protocol's own/.test(schema.description ?? ''));
    expect(new Set(ofSip.map(({ name }) => name))).toEqual(new Set(['sip_call_id']));
    for (const each of ['LiveCall', 'CallSummary', 'CallRecord', 'Voicemail', 'CallRecording', 'Sms'])
      expect(names(shown)).toContain(`${each} call_id`);
  });

  test('a span of time is from and to, and to is not part of it', () => {
    const live = sent.filter(({ schema }) => !schema.deprecated);
    expect(
      names(live.filter(({ name }) => /^(until|since|before|after|begin|end|start)$/.test(name))),
    ).toEqual([]);
    const ends = live.filter(
      ({ place, name, schema }) => name === 'to' && /a date/i.test(text(schema)) && place,
    );
    expect(ends.length).toBeGreaterThan(8);
    for (const { place, schema } of ends) {
      expect(text(schema), place).toMatch(/before/i);
      expect(names(live)).toContain(`${place} from`);
    }
  });

  test('what is deprecated says why, and former paths are marked', () => {
    const members = [...shown, ...sent].filter(({ schema }) => schema.deprecated);
    expect(members.length).toBeGreaterThan(3);
    for (const { place, name, schema } of members) expect(text(schema), `${place} ${name}`).not.toBe('');
    const paths = operations.filter(({ deprecated }) => deprecated).map(({ path }) => path);
    expect(paths).toEqual(['/v1/agents', '/v1/call/records/{id}']);
  });
});

/** The descriptions in a schema and its alternatives. */
const text = (schema: Json): string =>
  [schema.description ?? '', ...(schema.anyOf ?? []).map(text)].filter(Boolean).join(' ');

onAnyDatabase((database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ env: { ...(await database.environment()), DEMO: 'on' } });
  });
  afterAll(() => service?.remove());
  const ask = (method: string, path: string, body?: object) =>
    call(service.url, method, path, body ? { body } : {});

  test('a former path answers as the present one, and says which that is', async () => {
    const [former, now] = await Promise.all([
      ask('GET', '/v1/call/records/none%20there'),
      ask('GET', '/v1/call/record/none%20there'),
    ]);
    expectFailure(former, 'record_unknown');
    expect([former.status, former.json.Message]).toEqual([now.status, now.json.Message]);
    expect(former.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(former.headers.get('link')).toBe('</v1/call/record/none%20there>; rel="successor-version"');
    expect(now.headers.get('deprecation')).toBeNull();
  });

  test('"" is null for free text alone: every other member that is not set is null', async () => {
    const lists = present.filter(({ path, method, parameters }) => {
      const list = method === 'get' && parameters.some(({ name }: Json) => name === 'cursor');
      return list && !path.includes('{');
    });
    await ask('POST', '/v1/voicemail_box', { name: 'x' });
    await ask('POST', '/v1/trunk', { name: 'x', host: '198.51.100.7' });
    await ask('POST', '/v1/caller_id_rule', { name: 'x', show: 'withhold' });
    await ask('POST', '/v1/blocked_number', { number: '+4930' });
    const freeText = new Set([
      'description',
      'reason',
      'caller_name',
      'text',
      'follow_me_number',
      'record_name',
    ]);
    const empty = new Set<string>();
    const look = (value: unknown, place: string): void => {
      if (value === '') empty.add(place);
      else if (typeof value === 'object' && value !== null)
        for (const [name, inner] of Object.entries(value)) look(inner, Array.isArray(value) ? place : name);
    };
    for (const { path } of lists) look((await ask('GET', path)).json, path);
    look((await ask('GET', '/v1/settings')).json, 'settings');
    expect([...empty].filter((name) => !freeText.has(name))).toEqual([]);
  });

  test('"" in a body means not set, in a query it is refused', async () => {
    const { json } = await ask('POST', '/v1/department', {
      name: 'Empty',
      failover_destination: '',
      music_on_hold: '',
      ring_seconds: '',
      exit_key: '',
    });
    const { json: stored } = await ask('GET', `/v1/department/${json.id}`);
    expect(stored).toMatchObject({
      failover_destination: null,
      music_on_hold: null,
      ring_seconds: null,
      exit_key: null,
    });
    expectFailure(await ask('POST', '/v1/department', { name: '' }), 'fields_invalid');
    expectFailure(await ask('GET', '/v1/call/records?caller='), 'query_invalid');
  });

  test('the end of a span has one name in the list of SMS, and the former names go on working', async () => {
    const { json } = await ask('POST', '/v1/sms', { to: '+4915112345678', text: 'x' });
    if (json.id === undefined) return expect(json.Code).toBe('sms_unavailable');
    const count = async (query: string) => (await ask('GET', `/v1/sms?${query}`)).json.data.length;
    for (const query of [
      'recipient=%2B4915112345678',
      'to=%2B4915112345678',
      'to=4915112345678&until=2999-01-01',
      'from=2000-01-01&to=2999-01-01',
      'recipient=%2B4915112345678&to=2999-01-01T00:00Z',
    ])
      expect(await count(query), query).toBe(1);
    for (const query of ['to=2000-01-01', 'until=2000-01-01', 'recipient=%2B491', 'to=%2B49301234567'])
      expect((await ask('GET', `/v1/sms?${query}`)).json.data ?? [], query).toEqual([]);
    expectFailure(await ask('GET', '/v1/sms?to=tomorrow'), 'query_invalid');
  });
});
