// Records → file → records → file, for any account: the second file has the bytes of the first.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../domain/agent.ts';
import type { Announcement } from '../domain/announcement.ts';
import { DEPARTMENT_DEFAULTS, type Department } from '../domain/department.ts';
import type { Ivr } from '../domain/ivr.ts';
import type { StoredRecord } from '../domain/record.ts';
import { RECORDING_DEFAULTS } from '../domain/recording.ts';
import type { TimeGroup } from '../domain/time-group.ts';
import type { VoicemailBox } from '../domain/voicemail-box.ts';
import { collectExport } from './collect.ts';
import { type AccountRecords, byExportedKind, exportFileText } from './export-file.ts';
import { type Change, planImport } from './plan.ts';
import { readExportFile } from './read-export-file.ts';

const stored = <T>(id: string, data: T): StoredRecord<T> => ({
  id,
  version: 1,
  createdAtMs: 0,
  updatedAtMs: 0,
  data,
});
const EMPTY = byExportedKind<AccountRecords>(() => []);

/** Names that collide with each other, with ids, and with what we make of them. */
const oddName = fc.oneof(
  fc.constantFrom('Menu', 'Menu (2)', 'Menu (3)', 'i0', 'd1', 'gone', '|x', 'a||b', ' x ', 'x'.repeat(100)),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((text) => /^\P{Cc}*\S\P{Cc}*$/u.test(text)),
);
/** Names that no id looks like. */
const plainName = fc.constantFrom('Front', 'Back', 'Left', 'Right', 'Top', 'Bottom', 'Menu one', 'Menu two');

const ID = fc.constantFrom('0', '1', '2');
const destination = fc.oneof(
  ID.map((id) => `ivr||i${id}`),
  ID.map((id) => `department||d${id}`),
  ID.map((id) => `extension||e${id}`),
  ID.map((id) => `timegroup||t${id}`),
  ID.map((id) => `announcement||n${id}`),
  ID.map((id) => `voicemail||v${id}`),
  fc.constantFrom('ivr||gone', 'department||gone', 'ivr||Menu', 'extension||gone', 'hangup||now'),
);
const recording = fc.constantFrom('recording||r0', 'recording||r1', 'recording||gone');

const ivr = (name: fc.Arbitrary<string>): fc.Arbitrary<Ivr> =>
  fc.record({
    name,
    description: fc.string({ maxLength: 5 }).filter((text) => !text.includes('\0')),
    recording,
    timeout: fc.nat(600),
    option: fc.constant(['1', '2']),
    destination: fc.array(destination, { minLength: 2, maxLength: 2 }),
    incorrect_count: fc.nat(20),
    invalid_recording: recording,
    invalid_destination: destination,
    timeout_retry_recording: recording,
    timeout_recording: recording,
    timeout_destination: destination,
    timeout_tries: fc.nat(20),
    recording_invalid: fc.option(recording),
    timeout_retries: fc.option(fc.integer({ min: 0, max: 20 })),
    sms_template: fc.constantFrom([], [null, '7']),
    record_calls: fc.boolean(),
    sensitive: fc.boolean(),
    webhook: fc.constantFrom([], ['webhook||w0', null]),
    tests: fc.array(
      fc.record({
        name: fc.constant('a test'),
        script: fc.constant('1'),
        agents: destination.map((ref) => ({ [ref]: 'busy' })),
        last_rung: destination.map((ref) => ({ [ref]: ref })),
        expect: fc.record({ destination, visited: fc.array(destination, { maxLength: 2 }) }),
      }),
      { maxLength: 1 },
    ),
  });

const queue = fc.record({
  queue: fc.boolean(),
  music_on_hold: fc.option(recording),
  announce_position: fc.nat(3_600),
  max_wait_seconds: fc.nat(43_200),
  max_waiting: fc.nat(1_000),
  wrapup_seconds: fc.nat(3_600),
  join_when_empty: fc.boolean(),
  exit_key: fc.constantFrom(null, '0', '*'),
});

const department = (name: fc.Arbitrary<string>): fc.Arbitrary<Department> =>
  fc
    .tuple(
      fc.record({
        name,
        description: fc.constant(''),
        agents: fc.uniqueArray(
          ID.map((id) => `e${id}`),
          { maxLength: 2 },
        ),
        strategy: fc.constantFrom('random', 'in_order'),
        ring_seconds: fc.constantFrom(null, 20),
        failover_destination: fc.option(destination),
      }),
      fc.oneof(fc.constant({}), queue),
    )
    .map(([record, line]) => ({ ...DEPARTMENT_DEFAULTS, ...record, ...line }));

const agent = (name: fc.Arbitrary<string>, index: number): fc.Arbitrary<Agent> =>
  fc.record({
    name,
    follow_me_number: fc.constantFrom('', '+4930123'),
    eid: fc.constant(`e${index}`),
    intercom: fc.constant(`100${index}`),
    product_clicktocall: fc.constantFrom(0, 1),
    team_id: fc.constantFrom(null, 1, 2, 99),
    timegroup_id: fc.constantFrom(null, 't0', 't1', 't9'),
    custom_status: fc.constantFrom(0, 1),
    failover_destination: fc.option(destination),
    sip: fc.constant({ realm: 'r', md5: 'secret-md5', sha256: 'secret-sha256' }),
    sip_sha256: fc.boolean(),
    record_calls: fc.boolean(),
  });

const timeGroup = (name: fc.Arbitrary<string>): fc.Arbitrary<TimeGroup> =>
  fc.record({
    name,
    timezone: fc.constantFrom('UTC', 'Europe/Berlin'),
    weekly: fc.constantFrom([], [{ days: ['mon', 'sun'] as const, from: '22:00', to: '06:00' }]),
    exceptions: fc.constantFrom(
      [],
      [{ name: 'x', from: '12-24', to: '12-26', hours: [{ from: '08:00', to: '24:00' }] }],
    ),
    open_destination: fc.option(destination),
    closed_destination: fc.option(destination),
  });

const announcement = (name: fc.Arbitrary<string>): fc.Arbitrary<Announcement> =>
  fc.record({ name, recording: fc.constantFrom('recording||r0', 'recording||r9'), destination });

const voicemailBox = (name: fc.Arbitrary<string>): fc.Arbitrary<VoicemailBox> =>
  fc.record({
    name,
    greeting: fc.constantFrom(null, 'recording||r0'),
    max_seconds: fc.constant(60),
    silence_seconds: fc.constant(3),
    email: fc.constantFrom(null, 'a@example.com'),
  });

const few = <T>(one: fc.Arbitrary<T>, letter: string): fc.Arbitrary<StoredRecord<T>[]> =>
  fc.array(one, { maxLength: 2 }).map((all) => all.map((data, index) => stored(`${letter}${index}`, data)));

const account = (name: fc.Arbitrary<string>): fc.Arbitrary<AccountRecords> =>
  fc.record({
    ivr: fc
      .array(ivr(name), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((data, index) => stored(`i${index}`, data))),
    department: fc
      .array(department(name), { maxLength: 3 })
      .map((all) => all.map((data, index) => stored(`d${index}`, data))),
    team: fc
      .array(fc.record({ name }), { maxLength: 2 })
      .map((all) => all.map((data, index) => stored(`${index + 1}`, data))),
    agent: fc
      .tuple(agent(name, 0), agent(name, 1))
      .map((all) => all.map((data, index) => stored(`a${index}`, data))),
    recording: fc.constant([
      stored('r0', { ...RECORDING_DEFAULTS, name: 'R', duration_ms: 5, sha256: 'a'.repeat(64) }),
    ]),
    number: destination.map((to) => [stored('n0', { number: '100', destination: to, description: 'x' })]),
    timegroup: few(timeGroup(name), 't'),
    announcement: few(announcement(name), 'n'),
    voicemail: few(voicemailBox(name), 'v'),
  });

/** What the changes make of an account. */
function applied(changes: readonly Change[]): AccountRecords {
  return byExportedKind<AccountRecords>((kind) =>
    changes.filter((change) => change.kind === kind).map(({ id, data }) => stored(id, data)),
  );
}

function world() {
  let made = 0;
  return {
    newId: () => `new-${String(++made).padStart(4, '0')}`,
    newTeamNumber: () => ++made,
    newDigests: () => ({ realm: '', md5: '', sha256: '' }),
    hasSound: () => true,
    mayDial: () => false,
    strictReferences: false,
  };
}

describe('an exported file', () => {
  it('read back and imported into an empty account is exported as the same bytes, and imported again is the same', () => {
    fc.assert(
      fc.property(account(oddName), (records) => {
        const text = exportFileText(collectExport(records).exportFile);
        expect(text).not.toContain('secret');
        const reading = readExportFile(JSON.parse(text));
        if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
        expect(exportFileText(reading.exportFile)).toBe(text);

        const plan = planImport(reading.exportFile, EMPTY, world());
        expect(plan.faults).toEqual([]);
        const imported = applied(plan.changes);
        expect(exportFileText(collectExport(imported).exportFile)).toBe(text);

        const again = planImport(reading.exportFile, imported, world());
        expect(again.faults).toEqual([]);
        expect(again.changes.filter(({ action }) => action !== 'same')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('imported into the account it came from changes nothing, unless names are shared', () => {
    fc.assert(
      fc.property(account(plainName), (records) => {
        const { exportFile, renamed } = collectExport(records);
        fc.pre(renamed.length === 0);
        const { changes, faults } = planImport(exportFile, records, world());
        // A name that an unexported record has too is refused instead: such accounts do not count as runs.
        for (const { message } of faults) expect(message).toMatch(/^The account has \d of that name/);
        fc.pre(faults.length === 0);
        expect(changes.filter(({ action }) => action !== 'same')).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
