// What simulate, lint and test work on: the menus of a file, with the flow around them.

import type { Settings } from '../domain/account.ts';
import { assumeAround } from '../domain/assume.ts';
import { directoryFlow } from '../domain/compile.ts';
import { makeDirectory } from '../domain/directory.ts';
import { changeFlow, type Flow } from '../flow/flow.ts';
import type { DialledEntry } from '../flow/lint/missing.ts';
import type { RecordingId, Ref } from '../flow/node.ts';
import { type AccountRecords, exportFileFlow } from '../import-export/export-file.ts';
import { DEFAULTS } from '../kinds/fields.ts';
import type { Ivr } from '../kinds/ivr.ts';
import { menuNode } from '../kinds/nodes.ts';
import type { FaultyFile, MenuFile } from './menu-file.ts';

export interface Subject {
  /** Null for an account. */
  readonly file: string | null;
  readonly flow: Flow;
  readonly menus: readonly { readonly ref: Ref; readonly ivr: Ivr }[];
  /** With where they lead; null: not known, so unreached menus are not reported. */
  readonly numbers: readonly DialledEntry[] | null;
  /** The account's own. */
  readonly music: RecordingId | null;
  /** What a menu that stands alone is taken to be surrounded by. */
  readonly assumed: readonly Ref[];
}

const ALONE = { numbers: null, music: null } as const;

export function subjectOf(menuFile: Exclude<MenuFile, FaultyFile>): Subject {
  const { file } = menuFile;
  if (menuFile.kind === 'payload') {
    const { flow, entry, assumed } = assumeAround(menuFile.ivr);
    return { file, flow, menus: [{ ref: entry, ivr: menuFile.ivr }], ...ALONE, assumed };
  }
  const { exportFile } = menuFile;
  return {
    file,
    flow: exportFileFlow(exportFile),
    menus: exportFile.ivr.map((each) => {
      const ivr = { ...DEFAULTS.ivr, ...each };
      return { ref: menuNode(ivr.name, ivr).ref, ivr };
    }),
    // The export of one menu need not have the numbers that lead to it over others.
    numbers: exportFile.number.length > 0 ? exportFile.number : null,
    music: null,
    assumed: [],
  };
}

export function assumptionLine({ file, assumed }: Subject): string {
  if (assumed.length === 0) return '';
  return `${file} stands alone, so these are assumed to exist and to answer: ${assumed.join(', ')}.\n`;
}

export function recordsFlow(records: AccountRecords, settings: Settings): Flow {
  const nodes = records.ivr.map(({ id, data }) => menuNode(id, data));
  return changeFlow(directoryFlow(makeDirectory(records), settings), { nodes });
}
