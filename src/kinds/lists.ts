// Lists that derive from the table of kinds. Call records are not among them: they are another shape and another size.
import type { KindIdentity } from './define-kind.ts';
import { KINDS } from './kinds.ts';

export type RecordKind = keyof typeof KINDS;

KINDS satisfies { readonly [K in RecordKind]: KindIdentity & { readonly kind: K } };

export { KINDS };

/** The kinds whose row has something there. */
type KindsWith<Column extends keyof KindIdentity> = {
  [K in RecordKind]: (typeof KINDS)[K][Column] extends null | false ? never : K;
}[RecordKind];
export type DestinationRecordKind = KindsWith<'destination'>;
export type DirectoryKind = KindsWith<'directory'>;

export const RECORD_KINDS: readonly RecordKind[] = keysOf(KINDS);
export const DESTINATION_RECORD_KINDS = kindsWith('destination');
export const DIRECTORY_KINDS = kindsWith('directory');
/** The words of destinations: of records, or what else a call can be sent to. */
export const DESTINATION_KINDS: readonly string[] = [
  ...DESTINATION_RECORD_KINDS.map((kind) => KINDS[kind].word),
  'hangup',
  'number',
];
export type VersionedKind = KindsWith<'versioned'>;
export const VERSIONED_KINDS: ReadonlySet<RecordKind> = new Set(kindsWith('versioned'));
export const DRAFTED_KINDS: ReadonlySet<RecordKind> = new Set(kindsWith('drafted'));
/** What tests of menus may depend on. A dialled number leads to menus; none leads to it. */
export const TESTED_KINDS: ReadonlySet<RecordKind> = new Set(kindsWith('tested'));
export type AssistantKind = KindsWith<'assistants'>;
export const ASSISTANT_KINDS = kindsWith('assistants');
export type SealedKind = KindsWith<'sealed'>;

/** By what the path of a record's operations names it. */
export const pathKey = (kind: RecordKind): 'eid' | 'id' => (KINDS[kind].key === 'eid' ? 'eid' : 'id');

type Schema<K extends RecordKind> = (typeof KINDS)[K]['schema'];
type Verb = 'get' | 'create' | 'put' | 'patch' | 'delete' | 'restore';
/** The operation of the API that does this to a record of the kind. */
export type OperationOn<V extends Verb, K extends RecordKind> = `${V}${Schema<K>}`;
export type ListOperation<K extends RecordKind> = `list${(typeof KINDS)[K]['plural']}`;
export type VersionsOperation<K extends RecordKind> = `list${Schema<K>}Versions`;

export function operationOn<V extends Verb, K extends RecordKind>(verb: V, kind: K): OperationOn<V, K> {
  const { schema }: { readonly schema: Schema<K> } = KINDS[kind];
  return `${verb}${schema}`;
}

export function listOperation<K extends RecordKind>(kind: K): ListOperation<K> {
  const { plural }: { readonly plural: (typeof KINDS)[K]['plural'] } = KINDS[kind];
  return `list${plural}`;
}

export function versionsOperation<K extends RecordKind>(kind: K): VersionsOperation<K> {
  const { schema }: { readonly schema: Schema<K> } = KINDS[kind];
  return `list${schema}Versions`;
}

export function keysOf<T extends object>(table: T): (string & keyof T)[] {
  return Object.keys(table) as (string & keyof T)[];
}

function kindsWith<Column extends keyof KindIdentity>(column: Column): readonly KindsWith<Column>[] {
  return RECORD_KINDS.filter((kind): kind is KindsWith<Column> => Boolean(KINDS[kind][column]));
}
