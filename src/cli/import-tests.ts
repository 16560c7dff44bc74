// The tests of imported menus, in the account as it will be.

import type { Settings } from '../domain/account.ts';
import { storedTestResults } from '../domain/stored-tests.ts';
import { changeFlow } from '../flow/flow.ts';
import { plain } from '../flow/timeline.ts';
import {
  type AccountRecords,
  byKind,
  type ExportFile,
  fileRecordings,
} from '../import-export/export-file.ts';
import type { Change } from '../import-export/plan.ts';
import { menuNode } from '../kinds/nodes.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { recordsFlow } from './subject.ts';

/** A line for each test that fails; empty when all pass. */
export function failedTests(
  exportFile: ExportFile,
  target: AccountRecords,
  changes: readonly Change[],
  settings: Settings,
): string {
  // A missing sound has a warning of its own and does not fail the menu's tests.
  const recordings = fileRecordings(exportFile);
  const flow = changeFlow(recordsFlow(after(target, changes), settings), { recordings });
  return changes
    .filter((change) => change.kind === 'ivr')
    .filter(({ action }) => action !== 'same')
    .flatMap(({ id, title, data }) => {
      return storedTestResults(data, menuNode(id, data).ref, flow)
        .filter(({ passed }) => !passed)
        .map(
          ({ name, differences }) =>
            `${plain(`${title}: the test "${name}" fails. ${differences.join(' ')}`)}\n`,
        );
    })
    .join('');
}

function after(target: AccountRecords, changes: readonly Change[]): AccountRecords {
  return byKind<AccountRecords>((kind) => {
    const records = new Map<string, StoredRecord<unknown>>(target[kind].map((record) => [record.id, record]));
    for (const { id, data } of changes.filter((change) => change.kind === kind))
      records.set(id, { id, version: 1, createdAtMs: 0, updatedAtMs: 0, data });
    return [...records.values()];
  });
}
