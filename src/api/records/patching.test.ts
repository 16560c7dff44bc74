// PUT and PATCH keep every field of every kind: random records, made from the fields that the routes validate, go through the handlers
// of the route table. A field that is added to a schema is tested from then on.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS } from '../../domain/account.ts';
import { limitsOf } from '../../domain/account-limits.ts';
import { directoryFlow } from '../../domain/compile.ts';
import { makeDirectory } from '../../domain/directory.ts';
import { readRow } from '../../domain/row.ts';
import type { Field, JsonSchema } from '../../kinds/field.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import { KINDS, keysOf, pathKey, RECORD_KINDS, type RecordKind } from '../../kinds/lists.ts';
import { Faults, isProblem } from '../../kinds/problem.ts';
import type { StoredRow } from '../../storage/ports/records.ts';
import type { ApiContext, ApiRequest, ApiResponse } from '../http/handler.ts';
import type { Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import { COLLECTIONS } from './collections.ts';

type Members = { readonly [name: string]: unknown };

function valuesOf({ anyOf, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(valuesOf));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  const { minimum: min = 0, maximum: max = 100 } = schema as Record<string, number>;
  switch (schema['type']) {
    case 'string':
      return 'pattern' in schema
        ? fc.stringMatching(new RegExp(String(schema['pattern'])))
        : fc.string({ minLength: 1 });
    case 'integer':
      return fc.integer({ min, max });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema['items'] as JsonSchema), { minLength: 1, maxLength: 3 });
    case 'object': {
      const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
      return fc.record(Object.fromEntries(properties.map(([name, each]) => [name, valuesOf(each)])));
    }
    default:
      return fc.constant(null);
  }
}

const SAMPLES: Members & { readonly [name: string]: unknown[] } = { secret: [`whsec_${'A'.repeat(32)}`] };

/** Valid values of a field, as they are stored; null where it may be. */
function poolOf(name: string, field: Field<unknown>): unknown[] {
  const made = SAMPLES[name] ?? field.samples ?? fc.sample(valuesOf(field.output), { seed: 7, numRuns: 12 });
  const valid = made.filter((value) => {
    const faults = new Faults();
    const read = value === null ? null : field.read(value, `/${name}`, faults);
    // No trunk may dial the random numbers.
    if (JSON.stringify(value).includes('number||')) return false;
    return value !== null && faults.list.length === 0 && JSON.stringify(read) === JSON.stringify(value);
  });
  if (valid.length === 0) throw new Error(`No value can be made for ${name}: add samples to its field.`);
  return field.absent ? [...valid.slice(0, 5), field.absent()] : valid.slice(0, 5);
}

/** It has a recording, a text or both. */
const heard = (body: Members): Members =>
  body['recording'] === null && body['text'] === null ? { ...body, text: 'Hello' } : body;

/** Objects by name: RFC 7396 §2 merges them. */
const MERGED = ['agent_levels', 'body', 'parameters', 'headers'];

/** What is stored beyond the fields of a body, or fits together within them. */
const FITTING: { readonly [K in RecordKind]?: (body: Members) => Members } = {
  ivr: (body) => ({ ...body, option: ['1', '*#'], destination: ['hangup||now', 'ivr||other'] }),
  agent: (body) => ({ ...body, eid: '100001', intercom: '1001' }),
  // The pool of both keys is the same.
  department: (body) => ({ ...body, agents: ['100001', '100002'], exit_key: null }),
  timegroup: ({ exceptions: _, ...body }) => body,
  blocked_number: (body) => ({ ...body, number: '+4930*', anonymous: false }),
  trunk: ({ inbound_by_registration: byLine, ...body }) => ({
    ...{ ...body, username: 'u', host: '192.0.2.1', max_calls: 5 },
    // Refused without a registration.
    inbound_by_registration: byLine === true && body['register'] === true,
  }),
  sms_template: (body) => ({ ...body, text: 'Hello {name}' }),
  announcement: heard,
  collect: (body) => ({ ...heard(body), min_digits: 2, max_digits: 6 }),
  request: (body) => ({ ...body, url: 'https://shop.example.com/order/{order}' }),
  stream: (body) => ({ ...body, url: 'wss://bot.example.com/{order}' }),
  sip_address: (body) => ({ ...body, uri: 'sip:desk@pbx.example.com' }),
  room: (body) => ({ ...body, pin: '4711', host_pin: '081500' }),
  webhook: (body) => ({ ...body, url: 'https://hooks.example.com/', events: ['call.ended'] }),
};
const HIDDEN: { readonly [K in RecordKind]?: Members } = {
  agent: { custom_status: 1, sip: { realm: 'r', md5: 'm', sha256: 's' } },
  trunk: { sealed_password: 'sealed' },
  request: { sealed_secret: 'sealed' },
  stream: { sealed_secret: 'sealed' },
  webhook: { sealed_secret: 'sealed', former: { sealed_secret: 'before', until_ms: 9 } },
};
const SOUND = {
  sha256: 'a'.repeat(64),
  duration_ms: 300,
  source: 'text',
  text: 'Hello',
  voice: 'de',
  speed: 200,
};

function routeOf(kind: RecordKind, method: Route['method']): Route {
  const path = `${KINDS[kind].path}/{${pathKey(kind)}}`;
  const route = ROUTES.find((one) => one.method === method && one.path === path);
  if (!route) throw new Error(`There is no ${method} of ${kind}.`);
  return route;
}

const NOTHING = makeDirectory(Object.fromEntries(RECORD_KINDS.map((kind) => [kind, []])) as never);

/** One record behind the handlers of its kind. */
function stored(kind: RecordKind, data: Members) {
  let row: StoredRow = { id: 'one', version: 1, createdAtMs: 1, updatedAtMs: 1, json: JSON.stringify(data) };
  const directory = async () =>
    kind === 'agent' ? { ...NOTHING, agents: new Map([['100001', readRow('agent', row)]]) } : NOTHING;
  const storage = {
    getRecord: async () => row,
    getRecords: async () => [],
    findReferrers: async () => [],
    findRecordId: async () => 'one',
    revisions: async () => [1],
    updateRecord: async ({ json }: { json: string }) => {
      row = { ...row, version: row.version + 1, json };
      return { outcome: 'updated', version: row.version };
    },
  };
  const context = {
    quotas: { refuseBytes: async () => null },
    storage,
    sealer: { seal: (text: string) => text, open: () => 'opened' },
    safeFetch: { refusal: () => null },
    maySipHost: () => true,
    snapshots: { directory: async () => ({ directory: await directory() }) },
    capabilities: { sms: true, email: true, speech: true },
  } as unknown as ApiContext;
  const ask = async (method: Route['method'], value: Members = {}): Promise<ApiResponse | null> => {
    const request = {
      params: { id: 'one', eid: '100001' },
      query: kind === 'ivr' ? { skip_tests: 'true' } : {},
      headers: {},
      body: { value, bytes: Buffer.alloc(0) },
      account: { id: 'a', settings: DEFAULT_SETTINGS, limits: limitsOf({}) },
      nowMs: 2,
      directory,
      flow: async () => directoryFlow(NOTHING, DEFAULT_SETTINGS),
      answered: async () => new Map(),
      menuNames: async () => new Map(),
    } as unknown as ApiRequest;
    const outcome = await routeOf(kind, method).handler(request, context);
    return isProblem(outcome) ? null : outcome;
  };
  return {
    ask,
    data: (): Members => JSON.parse(row.json),
    shown: async (): Promise<Members> => JSON.parse(String((await ask('GET'))?.bytes)),
  };
}

describe.each(RECORD_KINDS)('of %s', (kind) => {
  const fields = routeOf(kind, 'PUT').body ?? {};
  const pools = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, poolOf(name, field)]),
  );
  const bodies = fc
    .record(Object.fromEntries(Object.entries(pools).map(([name, pool]) => [name, fc.constantFrom(...pool)])))
    .map((body) => FITTING[kind]?.(body) ?? body);
  /** Every field that may be left out has its default, which a GET shows. */
  const defaults = Object.entries(pools).map(([name, pool]) => [
    name,
    fields[name]?.absent ? pool.at(-1) : pool[0],
  ]);
  const bare: Members = Object.fromEntries(defaults);
  const start = (body: Members) => {
    if (kind === 'recording') {
      const { name, description } = { name: body['name'] ?? 'r', description: body['description'] ?? '' };
      return stored(kind, { ...DEFAULTS.recording, name, description, ...SOUND });
    }
    const read = COLLECTIONS[kind].read(body);
    if (isProblem(read)) throw new Error(`${kind}: ${read.message}`);
    return stored(kind, { ...read, ...HIDDEN[kind] });
  };

  it('a PUT of what a GET shows, and a PATCH of nothing, change nothing', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const one = start(body);
        const before = one.data();
        expect((await one.ask('PUT', await one.shown()))?.status).toBe(200);
        expect(one.data()).toEqual(before);
        expect((await one.ask('PATCH'))?.status).toBe(200);
        expect(one.data()).toEqual(before);
      }),
      { numRuns: 7, seed: 1, examples: [[FITTING[kind]?.(bare) ?? bare]] },
    );
  });

  it('a PATCH of one field changes it alone, or nothing where the record would not be valid', async () => {
    // What a recording's sound is made from is another one's test: it needs a sound.
    const names = keysOf(pools).filter(
      (name) => kind !== 'recording' || ['name', 'description'].includes(name),
    );
    const change = fc
      .constantFrom(...names)
      .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(pools[name] ?? []))));
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(bodies, change, async (body, [name, value]) => {
        const one = start(body);
        const before = one.data();
        const outcome = await one.ask('PATCH', { [name]: value });
        const { [name]: changed, ...rest } = one.data();
        const { [name]: former, ...same } = before;
        if (outcome === null) {
          expect(one.data()).toEqual(before);
          return;
        }
        accepted += 1;
        // An agent's digests are of its intercom number; a secret is stored under another name.
        const { sip: _, sealed_password: __, sealed_secret: ___, former: ____, ...kept } = rest;
        // The addresses of a trunk that are its host follow it.
        const { addresses: _____, host_before: ______, ...others } = kept;
        expect(same).toMatchObject(name === 'host' ? others : kept);
        // An event that is named twice is one.
        const unique = name === 'events' && Array.isArray(value) ? [...new Set(value)] : value;
        const wanted = MERGED.includes(name) ? Object.assign({}, former, value) : unique;
        if (name in before && value !== null) expect(changed).toEqual(wanted);
        if (
          value === null &&
          fields[name]?.absent &&
          name in before &&
          name !== 'eid' &&
          name !== 'intercom' &&
          name !== 'addresses'
        )
          expect(changed).toEqual(name === 'description' ? '' : fields[name].absent());
      }),
      { numRuns: 15, seed: 2 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
