// Records → file → records → file, for any account: the second file has the bytes of the first.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyAccount, oddName, plainName, stored } from '../../test/support/any-account.ts';
import { RECORD_KINDS } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { collectExport } from './collect.ts';
import { type AccountRecords, byKind, exportFileText } from './export-file.ts';
import { type Change, planImport } from './plan.ts';
import { readExportFile } from './read-export-file.ts';
import { importContext, openSecret } from './testing/import-context.ts';

const EMPTY = byKind<AccountRecords>(() => []);

/** What the changes make of an account. */
function applied(changes: readonly Change[]): AccountRecords {
  return byKind<AccountRecords>((kind) =>
    changes.filter((change) => change.kind === kind).map(({ id, data }) => stored(id, data)),
  );
}

describe('an exported file', () => {
  it('read back and imported into an empty account is exported as the same bytes, and imported again is the same', () => {
    fc.assert(
      fc.property(anyAccount(oddName), (records) => {
        const text = exportFileText(collectExport(records).exportFile);
        expect(text).not.toContain('5ec3e7');
        const reading = readExportFile(JSON.parse(text));
        if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
        expect(exportFileText(reading.exportFile)).toBe(text);

        const plan = planImport(reading.exportFile, EMPTY, importContext());
        expect(plan.faults).toEqual([]);
        const imported = applied(plan.changes);
        expect(withoutPasswords(exportFileText(collectExport(imported).exportFile))).toBe(
          withoutPasswords(text),
        );

        const again = planImport(reading.exportFile, imported, importContext());
        expect(again.faults).toEqual([]);
        expect(again.changes.filter(({ action }) => action !== 'same')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('imported into the account it came from changes nothing, unless names are shared', () => {
    fc.assert(
      fc.property(anyAccount(plainName), (records) => {
        const { exportFile, renamed } = collectExport(records);
        fc.pre(renamed.length === 0);
        const { changes, faults } = planImport(exportFile, records, importContext());
        // A name that an unexported record has too is refused instead: such accounts do not count as runs.
        for (const { message } of faults) expect(message).toMatch(/^The account has \d of that name/);
        fc.pre(faults.length === 0);
        expect(changes.filter(({ action }) => action !== 'same')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('with secrets and ids makes an empty account the same: every record, id, name and secret', () => {
    fc.assert(
      fc.property(anyAccount(oddName), (records) => {
        const { exportFile, withheld } = collectExport(records, { marks: true, openSecret });
        expect(withheld).toEqual([]);
        const reading = readExportFile(JSON.parse(exportFileText(exportFile)));
        if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
        const { changes, faults } = planImport(reading.exportFile, EMPTY, importContext());
        expect(faults).toEqual([]);
        const imported = applied(changes);
        for (const kind of RECORD_KINDS)
          expect(byId(imported[kind])).toEqual(byId(withoutLost(records)[kind]));
        // And again: what is there is found by its id, whatever it is called.
        const again = planImport(reading.exportFile, imported, importContext());
        expect([again.faults, again.changes.filter(({ action }) => action !== 'same')]).toEqual([[], []]);
      }),
      { numRuns: 60 },
    );
  });

  it('says which secrets it lacks', () => {
    const [records] = fc.sample(anyAccount(plainName), { seed: 1, numRuns: 1 });
    const { withheld } = collectExport(records ?? EMPTY);
    expect(withheld).toContain('agent "e0": sip');
    expect(withheld.filter((line) => /^webhook ".*": secret$/.test(line))).toHaveLength(2);
  });
});

/** A trunk whose password is not in the file is made without one. */
const withoutPasswords = (text: string): string => text.replaceAll('      "password": null,\n', '');

const byId = (records: readonly StoredRecord<unknown>[]): readonly StoredRecord<unknown>[] =>
  records.toSorted((one, other) => (one.id < other.id ? -1 : 1));

/** An agent's team and time group that do not exist are not in the file. */
function withoutLost(records: AccountRecords): AccountRecords {
  const has = (kind: 'team' | 'timegroup', id: unknown): boolean =>
    records[kind].some((record) => record.id === String(id));
  const agent = records.agent.map((record) => ({
    ...record,
    data: {
      ...record.data,
      team_id: has('team', record.data.team_id) ? record.data.team_id : null,
      timegroup_id: has('timegroup', record.data.timegroup_id) ? record.data.timegroup_id : null,
    },
  }));
  return { ...records, agent };
}
