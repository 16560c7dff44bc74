// The tests of imported menus, in the account as it will be.
import { storedTestResults } from '../api/calls/simulate.ts';
import type { Settings } from '../domain/account.ts';
import { menuNode } from '../domain/compile.ts';
import type { AccountRecords, ExportFile } from '../domain/import-export/export-file.ts';
import type { Change } from '../domain/import-export/plan.ts';
import type { Ivr } from '../domain/ivr.ts';
import type { RecordKind } from '../domain/kinds.ts';
import type { StoredRecord } from '../domain/record.ts';
import { changeFlow } from '../flow/flow.ts';
import { plain } from '../flow/timeline.ts';
import { recordsFlow } from './subject.ts';

/** What fails, in words; empty when nothing does. */
export function failedTests(
  exportFile: ExportFile,
  target: AccountRecords,
  changes: readonly Change[],
  settings: Settings,
): string {
  // A sound that is still to be brought is told about elsewhere; it does not make the menu wrong.
  const recordings = exportFile.recordings.map(({ id, name, duration_ms: durationMs }) => ({
    id,
    name,
    durationMs,
  }));
  const flow = changeFlow(recordsFlow(after(target, changes), settings), { recordings });
  return changes
    .filter(({ kind, action }) => kind === 'ivr' && action !== 'same')
    .flatMap(({ id, title, data }) => {
      const ivr = data as Ivr;
      return storedTestResults(ivr, menuNode(id, ivr).ref, flow)
        .filter(({ passed }) => !passed)
        .map(
          ({ name, differences }) =>
            `${plain(`${title}: the test "${name}" fails. ${differences.join(' ')}`)}\n`,
        );
    })
    .join('');
}

function after(target: AccountRecords, changes: readonly Change[]): AccountRecords {
  const overlaid = <T>(kind: RecordKind, stored: readonly StoredRecord<T>[]): StoredRecord<T>[] => {
    const records = new Map(stored.map((record) => [record.id, record]));
    for (const { id, data } of changes.filter((change) => change.kind === kind))
      records.set(id, { id, version: 1, createdAtMs: 0, updatedAtMs: 0, data: data as T });
    return [...records.values()];
  };
  return {
    ivr: overlaid('ivr', target.ivr),
    department: overlaid('department', target.department),
    team: overlaid('team', target.team),
    agent: overlaid('agent', target.agent),
    recording: overlaid('recording', target.recording),
    number: overlaid('number', target.number),
    timegroup: overlaid('timegroup', target.timegroup),
    announcement: overlaid('announcement', target.announcement),
    voicemail: overlaid('voicemail', target.voicemail),
  };
}
