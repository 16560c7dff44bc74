// Records → a file: the whole account, or the menus asked for with everything they refer to; names in place of ids.
import type { Settings } from '../domain/account.ts';
import { mapReferences } from '../domain/record-references.ts';
import { isSealedKind, type SealedKind, secretMember } from '../domain/sealed.ts';
import type { RecordKind } from '../kinds/lists.ts';
import type { StoredRecord } from '../kinds/record.ts';
import type { RecordData } from '../kinds/record-data.ts';
import { referenceText, splitReference } from '../kinds/reference.ts';
import {
  type AccountRecords,
  byKind,
  type ExportFile,
  type FileLists,
  type FileRecord,
} from './export-file.ts';
import {
  type Exported,
  inOrder,
  keyOf,
  type Marks,
  NAMED_KINDS,
  type NamedKind,
  nounOf,
  wordOf,
} from './fields.ts';
import { type Labels, labelsOf, type Named } from './labels.ts';
import { graphOf, reachedFrom, reachedRecords, unknownIds } from './reach.ts';

export interface Collected {
  readonly exportFile: ExportFile;
  /** Names that several records share, and what the later ones are called in the file. */
  readonly renamed: readonly Named[];
  /** Secrets that the account has and the file has not, such as `trunk "Provider": password`. */
  readonly withheld: readonly string[];
}

export interface CollectOptions {
  /** Ids of menus; absent: the whole account. */
  readonly roots?: readonly string[] | undefined;
  /** With the ids of all records, and the names that several share. */
  readonly marks?: boolean;
  /** Opens what is sealed for a record; absent: no secrets. */
  readonly openSecret?: OpenSecret | undefined;
  /** In the file of a whole account. */
  readonly settings?: Settings;
}

/** Null if it cannot be opened, since it was sealed with another key. */
export type OpenSecret = (kind: SealedKind, id: string, sealed: string) => string | null;

export function collectExport(records: AccountRecords, options: CollectOptions = {}): Collected {
  const { roots, marks = false, openSecret, settings } = options;
  const graph = graphOf(records);
  const reached = reachedFrom(graph, roots?.map((id) => referenceText('ivr', id)) ?? [...graph.keys()]);
  const found = roots ? reachedRecords(records, reached) : records;
  const labels = new Map<RecordKind, Labels>(
    NAMED_KINDS.map((kind) => [kind, labelsOf(kind, found[kind], unknownIds(reached, kind, found[kind]))]),
  );
  const kinds = new Map(NAMED_KINDS.map((kind) => [wordOf(kind), kind]));
  const byName = (text: string): string => {
    const { kind: word, id } = splitReference(text);
    const kind = kinds.get(word);
    return kind === undefined ? text : referenceText(word, labels.get(kind)?.of(id) ?? id);
  };
  const known: Around['known'] = (kind, id) =>
    labels.get(kind)?.has(id) ? (labels.get(kind)?.of(id) ?? id) : null;
  const withheld: string[] = [];
  const inFile = <K extends RecordKind>(kind: K, record: StoredRecord<RecordData[K]>): FileRecord<K> => {
    const { id, data } = record;
    const secrets = secretsIn(
      `${nounOf(kind)} ${JSON.stringify(keyOf(kind, { id, ...data }))}`,
      openSecret,
      withheld,
    );
    const exported = mapReferences(toFile(kind, record, { known, secrets }), byName);
    return inOrder(kind, { ...exported, ...marksOf(record, labels.get(kind), marks) });
  };
  const lists = byKind<FileLists>((kind) =>
    sorted(
      kind,
      found[kind].map((record) => inFile(kind, record)),
    ),
  );
  return {
    exportFile: settings && !roots ? { settings, ...lists } : lists,
    renamed: [...labels.values()].flatMap(({ renamed }) => renamed),
    withheld,
  };
}

function marksOf(
  { id, data }: StoredRecord<unknown>,
  labels: Labels | undefined,
  marks: boolean,
): Marks & { readonly name?: string } {
  if (!labels) return marks ? { id } : {};
  const { name } = data as { readonly name: string };
  const label = labels.of(id);
  if (!marks) return { name: label };
  return { id, name: label, ...(label === name ? {} : { shared_name: name }) };
}

interface Around {
  /** The name of a record that exists; null: nothing has this id. */
  known(kind: NamedKind, id: string): string | null;
  secrets: Secrets;
}

/** The members of a record that hold secrets, opened, if the file is to have them. */
type Secrets = (read: (open: OpenSecret) => { readonly [member: string]: unknown }) => object;

function secretsIn(title: string, openSecret: OpenSecret | undefined, withheld: string[]): Secrets {
  return (read) =>
    Object.fromEntries(
      Object.entries(read(openSecret ?? (() => ''))).filter(([member, value]) => {
        if (openSecret && value !== null) return true;
        withheld.push(`${title}: ${member}${openSecret ? ', which was sealed with another key' : ''}`);
        return false;
      }),
    );
}

type ToFile<K extends RecordKind> = (record: StoredRecord<RecordData[K]>, around: Around) => object;

/** Kinds whose records a file has in another form than the account; of others it has the members as they are, and a sealed one opened. */
const OWN_FORM: { readonly [K in RecordKind]?: ToFile<K> } = {
  agent: ({ data: { sip, team_id, timegroup_id, ...agent } }, { known, secrets }) => ({
    ...agent,
    team: known('team', String(team_id)),
    timegroup: known('timegroup', timegroup_id ?? ''),
    ...secrets(() => ({ sip })),
  }),
  recording: ({ id, data: { url, ...recording } }, { secrets }) => ({
    ...recording,
    id,
    ...(url === null ? { url } : secrets(() => ({ url }))),
  }),
  trunk: ({ id, data: { host_before: _, ...trunk } }, { secrets }) => opened('trunk', id, trunk, secrets),
  webhook: ({ id, data: { former, ...webhook } }, { secrets }) => ({
    ...opened('webhook', id, webhook, secrets),
    ...(former
      ? secrets((open) => ({ former: formerOf(open('webhook', id, former.sealed_secret), former) }))
      : {}),
  }),
};

function toFile<K extends RecordKind>(
  kind: K,
  record: StoredRecord<RecordData[K]>,
  around: Around,
): Exported[K] {
  const own: ToFile<K> | undefined = OWN_FORM[kind];
  // The cast holds: what differs from the record's own form is in OWN_FORM, or its secret (round-trip.test.ts sets every member).
  return (own?.(record, around) ?? opened(kind, record.id, record.data, around.secrets)) as Exported[K];
}

/** With its secret, if it has one, in place of the sealed member. */
function opened(kind: RecordKind, id: string, data: object, secrets: Secrets): object {
  if (!isSealedKind(kind)) return data;
  const member = secretMember(kind);
  const { [`sealed_${member}`]: sealed, ...rest }: { readonly [name: string]: unknown } = { ...data };
  if (typeof sealed !== 'string') return { ...rest, [member]: null };
  return { ...rest, ...secrets((open) => ({ [member]: open(kind, id, sealed) })) };
}

const formerOf = (secret: string | null, { until_ms }: { readonly until_ms: number }) =>
  secret === null ? null : { secret, until_ms };

/** By code units, not by a locale: the same file on every machine. */
function sorted<K extends RecordKind>(kind: K, records: readonly FileRecord<K>[]): FileRecord<K>[] {
  const key = (record: FileRecord<K>): string => keyOf(kind, record);
  return records.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
}
