// Every field of every exported kind, set to a value that is not its default, survives export and import. Values are made
// from the fields themselves, so a field that is added to a schema is tested from then on.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Field, JsonSchema } from '../kinds/field.ts';
import { KINDS, RECORD_KINDS, type RecordKind } from '../kinds/lists.ts';
import { Faults } from '../kinds/problem.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { collectExport } from './collect.ts';
import { type AccountRecords, byKind, exportFileText } from './export-file.ts';
import { FIELDS, laterMembers } from './fields.ts';
import { type Change, planImport } from './plan.ts';
import { readExportFile } from './read-export-file.ts';
import { importContext, openSecret, sealFor } from './testing/import-context.ts';

type Members = { readonly [name: string]: unknown };

function valuesOf({ anyOf, ...schema }: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map(valuesOf));
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...schema['enum']);
  const { minimum: min = 0, maximum: max = 100, properties = {} } = schema as Record<string, number>;
  switch (schema['type']) {
    case 'string':
      return 'pattern' in schema
        ? fc.stringMatching(new RegExp(String(schema['pattern'])))
        : fc.string({ minLength: 1 });
    case 'integer':
      return fc.integer({ min, max });
    case 'number':
      return fc.double({ min, max, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(valuesOf(schema['items'] as JsonSchema), { minLength: 1, maxLength: 3 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([name, each]) => [name, valuesOf(each as JsonSchema)]),
        ),
      );
    default:
      return fc.constant(null);
  }
}

/** A valid value that is not what a missing one stands for. */
function sampleOf(kind: RecordKind, name: string, field: Field<unknown>, seed: number): unknown {
  const candidates = fc.sample(field.samples ? fc.constantFrom(...field.samples) : valuesOf(field.output), {
    seed,
    numRuns: 60,
  });
  const absent = JSON.stringify(field.absent?.());
  const found = candidates.find((value) => {
    const faults = new Faults();
    const read = value === null ? undefined : field.read(value, `/${name}`, faults);
    return (
      faults.list.length === 0 &&
      JSON.stringify(read) === JSON.stringify(value) &&
      JSON.stringify(value) !== absent
    );
  });
  if (found === undefined)
    throw new Error(`No value can be made for ${kind}.${name}: add samples to its field.`);
  return found;
}

const idOf = (kind: RecordKind): string => (kind === 'team' ? '1' : `id-${kind}`);

/** Wherever a reference stands: to the one record of its kind. */
function pointed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointed);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [String(pointed(key)), pointed(each)]),
    );
  if (typeof value !== 'string') return value;
  // The one number that the trunk may dial.
  if (value.startsWith('number||')) return 'number||+4930123';
  const kind = RECORD_KINDS.find(
    (each) => KINDS[each].word !== null && value.startsWith(`${KINDS[each].word}||`),
  );
  return kind === undefined ? value : `${KINDS[kind].word}||${idOf(kind)}`;
}

function generated(kind: RecordKind, seed: number): Members {
  const fields: { readonly [name: string]: Field<unknown> } = FIELDS[kind];
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, pointed(sampleOf(kind, name, field, seed))]),
  );
}

const DESTINATIONS = [
  'ivr',
  'department',
  'agent',
  'timegroup',
  'announcement',
  'voicemail',
  'room',
  'collect',
  'request',
  'stream',
  'switch',
  'message',
  'sip_address',
] as const;

/** In every secret. */
const HEX = '5ec3e7';
const SECRET = `whsec_${HEX.padEnd(40, '0')}`;

/** What the account has beyond the file, and what must fit together within it. */
const FITTING: { readonly [K in RecordKind]?: Partial<RecordData[K]> } = {
  ivr: {
    sms_template: [null, idOf('sms_template')],
    option: ['1', '2', '3', '4', '5', '6', '*#', '7', '8', '9', '0', '#1', '#2'],
    destination: DESTINATIONS.map((kind) => `${KINDS[kind].word}||${idOf(kind)}`),
  },
  department: {
    agents: [idOf('agent')],
    exit_key: '0',
    callback_key: '5',
    callback_hours: `timegroup||${idOf('timegroup')}`,
  },
  agent: {
    eid: idOf('agent'),
    team_id: 1,
    timegroup_id: idOf('timegroup'),
    sip: { realm: 'dialtree', md5: HEX.padEnd(32, '0'), sha256: HEX.padEnd(64, '0') },
  },
  number: { destination: 'ivr||id-ivr' },
  recording: { url: `https://example.com/?token=${HEX}` },
  trunk: {
    sealed_password: sealFor('trunk', idOf('trunk'), HEX),
    outbound_prefixes: [{ prefix: '+49', strip: 0, add: '' }],
    enabled: true,
  },
  webhook: {
    sealed_secret: sealFor('webhook', idOf('webhook'), SECRET),
    former: { sealed_secret: sealFor('webhook', idOf('webhook'), SECRET), until_ms: 1_800_000_000_000 },
  },
  room: { pin: '4711', host_pin: '081500' },
  collect: { min_digits: 2, max_digits: 6 },
  request: {
    url: 'https://shop.example.com/order/{order}',
    sealed_secret: sealFor('request', idOf('request'), SECRET),
  },
  stream: {
    url: 'wss://bot.example.com/{order}',
    sealed_secret: sealFor('stream', idOf('stream'), SECRET),
    destinations: [`department||${idOf('department')}`],
  },
  message: { sms_template: idOf('sms_template') },
  sip_address: {
    uri: 'sip:desk@pbx.example.com',
    username: 'u',
    sealed_password: sealFor('sip_address', idOf('sip_address'), `password-${HEX}`),
  },
  blocked_number: { anonymous: false },
};

function accountOf(seed: number): AccountRecords {
  return byKind<AccountRecords>((kind) => {
    const { id: _, team: __, timegroup: ___, password: ____, secret: _____, ...data } = generated(kind, seed);
    return [
      { id: idOf(kind), version: 1, createdAtMs: 0, updatedAtMs: 0, data: { ...data, ...FITTING[kind] } },
    ];
  });
}

const context = () => importContext({ strict_references: true });

const applied = (changes: readonly Change[]): AccountRecords =>
  byKind<AccountRecords>((kind) =>
    changes
      .filter((change) => change.kind === kind)
      .map(
        ({ id, data }): StoredRecord<unknown> => ({ id, version: 1, createdAtMs: 0, updatedAtMs: 0, data }),
      ),
  );

function fileOf(records: AccountRecords): { readonly [member: string]: Members[] } {
  return JSON.parse(exportFileText(collectExport(records).exportFile));
}

function readBack(file: Members) {
  const reading = readExportFile(file);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.exportFile;
}

const EMPTY = byKind<AccountRecords>(() => []);
const SEEDS = Array.from({ length: 5 }, (_, index) => index);

describe('an account with every field set', () => {
  it.each(SEEDS)('comes back whole from its file (%i)', (seed) => {
    const records = accountOf(seed);
    const text = exportFileText(collectExport(records).exportFile);
    // Neither secrets, nor ids of records that have names: a member that refers to one is written by name.
    expect(text).not.toMatch(
      /5ec3e7|id-(ivr|department|timegroup|announcement|voicemail|room|collect|request|stream|switch|message|sip_address|trunk|webhook|sms_template)/,
    );
    const plan = planImport(readBack(JSON.parse(text)), EMPTY, context());
    expect([plan.faults, plan.warnings.map(({ pointer }) => pointer)]).toEqual([
      [],
      ['/trunks/0/password', '/requests/0/secret', '/streams/0/secret', '/sip_addresses/0/password'],
    ]);
    const again = exportFileText(collectExport(applied(plan.changes)).exportFile);
    expect(
      again
        .replaceAll('      "password": null,\n', '')
        .replace('      "url": null,\n', '')
        .replaceAll('      "secret": null,\n', ''),
    ).toBe(text);
    for (const kind of RECORD_KINDS) {
      const made = plan.changes.find((change) => change.kind === kind);
      const { sip: _, url: __, ...before } = nameless(records[kind][0]?.data ?? {});
      expect(nameless(made?.data ?? {})).toMatchObject(before);
    }
  });

  it.each(SEEDS)('is the same account after export and import with ids and secrets (%i)', (seed) => {
    const records = accountOf(seed);
    const { exportFile } = collectExport(records, { marks: true, openSecret });
    const plan = planImport(readBack(JSON.parse(exportFileText(exportFile))), EMPTY, context());
    expect([plan.faults, plan.warnings]).toEqual([[], []]);
    expect(applied(plan.changes)).toEqual(records);
  });

  it('is the same for a second import, and for one into the account it came from', () => {
    const records = accountOf(1);
    const exportFile = readBack(fileOf(records));
    const imported = applied(planImport(exportFile, EMPTY, context()).changes);
    for (const target of [imported, records]) {
      const { changes } = planImport(exportFile, target, context());
      expect(changes.map(({ kind, action }) => `${kind} ${action}`)).toEqual(
        changes.map(({ kind }) => `${kind} same`),
      );
      expect(changes).toHaveLength(RECORD_KINDS.length);
    }
  });
});

/** Without references, whose ids differ from account to account. */
function nameless(data: object): Members {
  const isPlain = (value: unknown): boolean => !JSON.stringify(value).includes('||');
  const { team_id: _, timegroup_id: __, sms_template: ___, ...members } = data as Members;
  const { sealed_password: ____, sealed_secret: _____, former: ______, ...rest } = members;
  return Object.fromEntries(Object.entries(rest).filter(([, value]) => isPlain(value)));
}

describe('a file of an earlier version', () => {
  const old = (seed: number): Members => {
    const {
      agents = [],
      departments = [],
      numbers = [],
      recordings = [],
      ...others
    } = fileOf(accountOf(seed));
    const { ivrs = [], ...file } = others;
    return {
      ...file,
      agents: agents.map((agent) =>
        Object.fromEntries(Object.entries(agent).filter(([name]) => !laterMembers('agent').includes(name))),
      ),
      ivrs: ivrs.map(({ option_priority: _, ...ivr }) => ivr),
      departments: departments.map(({ agent_levels: _, priority: __, ...department }) => department),
      numbers: numbers.map(({ number, destination }) => ({ number, destination })),
      recordings: recordings.map(({ id, name, duration_ms, sha256 }) => ({ id, name, duration_ms, sha256 })),
    };
  };

  it('leaves alone what it does not have: recorded calls, priorities, levels, descriptions of numbers, origins of recordings', () => {
    const { changes, faults } = planImport(readBack(old(1)), accountOf(1), context());
    expect(faults).toEqual([]);
    expect(changes.filter(({ action }) => action !== 'same')).toEqual([]);
  });

  it('keeps the priority of each option, where its options are others', () => {
    const target = accountOf(1);
    const before = target.ivr[0]?.data;
    const { ivrs = [], ...file } = fileOf(target);
    // The last that has one comes first, and is the only one.
    const last = (before?.option_priority.length ?? 0) - 1;
    expect(last).toBeGreaterThanOrEqual(0);
    const shorter = ivrs.map(({ option_priority: _, ...ivr }) => ({
      ...ivr,
      option: [before?.option[last]],
      destination: (ivr['destination'] as unknown[]).slice(-1),
      sms_template: [],
      webhook: [],
    }));
    const { changes, faults } = planImport(readBack({ ...file, ivrs: shorter }), target, context());
    expect(faults).toEqual([]);
    const kept = before?.option_priority[last] ?? null;
    expect(changes.find(({ kind }) => kind === 'ivr')?.data).toMatchObject({ option_priority: [kept] });
  });

  it('gives new records the defaults', () => {
    const { changes } = planImport(readBack(old(1)), EMPTY, context());
    const dataOf = (kind: RecordKind) => changes.find((change) => change.kind === kind)?.data;
    expect(dataOf('agent')).toMatchObject({ record_calls: false, sip_sha256: false });
    expect(dataOf('department')).toMatchObject({ agent_levels: {}, priority: 0 });
    expect(dataOf('number')).toMatchObject({ description: '' });
    expect(dataOf('recording')).toMatchObject({ description: '', source: null, damaged: null });
  });

  it('sets every other member that it lacks to its default', () => {
    const { ivrs = [], ...file } = fileOf(accountOf(1));
    const older = ivrs.map(({ record_calls: _, webhook: __, ...ivr }) => ivr);
    const { changes } = planImport(readBack({ ...file, ivrs: older }), accountOf(1), context());
    expect(changes.filter(({ action }) => action !== 'same')).toMatchObject([
      { kind: 'ivr', action: 'update', data: { record_calls: false, webhook: [] } },
    ]);
  });
});
