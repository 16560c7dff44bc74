// Names → ids of the account: of the file's own records first, then of what the account has already.

import { type PlacedReference, placedReferences } from '../domain/record-references.ts';
import type { StoredRecord } from '../kinds/record.ts';
import { isId, referenceText, splitReference } from '../kinds/reference.ts';
import type { AccountRecords, ExportFile } from './export-file.ts';
import { NAMED_KINDS, type NamedKind, wordOf } from './fields.ts';
import type { Matches } from './match.ts';

export interface Unresolved {
  readonly pointer: string;
  readonly message: string;
  /** Not even an id, so it cannot be stored. */
  readonly impossible: boolean;
  /** A recording of the file without its sound has its warning already. */
  readonly reportedBefore: boolean;
}

export class Resolver {
  readonly #named: ReadonlyMap<string, string>;
  readonly #known: ReadonlySet<string>;
  readonly #inFile: ReadonlySet<string>;
  readonly #mayDial: (number: string) => boolean;

  /** `recordings` are those that the account will have. */
  constructor(
    exportFile: ExportFile,
    target: AccountRecords,
    matches: Matches,
    recordings: readonly { readonly id: string }[],
    mayDial: (number: string) => boolean,
  ) {
    this.#mayDial = mayDial;
    this.#named = new Map([
      ...NAMED_KINDS.flatMap((kind) =>
        others(kind, exportFile, target, matches).map(
          ({ id, data }) => [referenceText(wordOf(kind), data.name), id] as const,
        ),
      ),
      ...NAMED_KINDS.flatMap((kind) =>
        exportFile[kind].map(
          ({ name }) => [referenceText(wordOf(kind), name), matches[kind](name).id] as const,
        ),
      ),
    ]);
    this.#inFile = new Set(exportFile.recording.map(({ id }) => id));
    this.#known = new Set([
      ...recordings.map(({ id }) => referenceText('recording', id)),
      ...[...target.agent.map(({ data }) => data.eid), ...exportFile.agent.map(({ eid }) => eid)].map((eid) =>
        referenceText(wordOf('agent'), eid),
      ),
      ...NAMED_KINDS.flatMap((kind) => target[kind].map(({ id }) => referenceText(wordOf(kind), id))),
    ]);
  }

  toId(text: string): string {
    const id = this.#named.get(text);
    return id === undefined ? text : referenceText(splitReference(text).kind, id);
  }

  unresolved(record: object): Unresolved[] {
    return [...placedReferences(record), ...members(record)].flatMap(({ kind, id, pointer }) => {
      const text = referenceText(kind, id);
      if (kind === 'number') {
        if (this.#mayDial(id)) return [];
        const message = `${text} may not be dialled: no trunk of the account has a prefix for it.`;
        return [{ pointer, message, impossible: true, reportedBefore: false }];
      }
      if (kind === 'hangup' || this.#named.has(text) || this.#known.has(text)) return [];
      const reportedBefore = kind === 'recording' && this.#inFile.has(id);
      const message = reportedBefore
        ? `The sound of ${text} is not here.`
        : `${text} is neither in the file nor in the account.`;
      return [{ pointer, message, impossible: !isId(id), reportedBefore }];
    });
  }
}

/** What the account has beside the file's records: those are called as the file calls them, whatever their name is. */
function others(
  kind: NamedKind,
  exportFile: ExportFile,
  target: AccountRecords,
  matches: Matches,
): readonly StoredRecord<{ readonly name: string }>[] {
  const inFile = new Set(exportFile[kind].map(({ name }) => matches[kind](name).id));
  return target[kind].filter(({ id }) => !inFile.has(id));
}

/** The agents of a department, which it lists by eid alone. */
function members(record: object): PlacedReference[] {
  const agents: unknown = 'agents' in record ? record.agents : [];
  if (!Array.isArray(agents)) return [];
  return agents.map((eid, index) => ({
    kind: wordOf('agent'),
    id: String(eid),
    pointer: `/agents/${index}`,
  }));
}
