// What is said of a kind of record: as a whole (a row of kinds.ts), and of what is stored of it (a module of its own in this folder).
import type { Field, Fields, OptionalField, RecordOf } from './field.ts';
import type { Faults } from './problem.ts';

export interface KindIdentity {
  readonly kind: string;
  /** As it stands within a sentence. */
  readonly noun: string;
  readonly nouns: string;
  /** The word of `word||id` in other records; null: none has it so. `number||100` is a telephone number, not a record. */
  readonly word: string | null;
  /** Calls can be sent to its records: nodes.ts has what place of a call they are. */
  readonly destination: boolean;
  /** The member of Directory that holds it; null: it is read from storage when it is needed. */
  readonly directory: string | null;
  /** The member of an export file that lists it. */
  readonly exported: string;
  /** The member by which a file calls it, different from all others of its kind. */
  readonly key: 'name' | 'eid' | 'id' | 'number';
  readonly versioned: boolean;
  /** Calls are led by it: its changes are collected in drafts. People, sounds and lines to the outside take effect at once. */
  readonly drafted: boolean;
  /** Tests of menus may depend on it. */
  readonly tested: boolean;
  /** Assistants see it. Addresses and passwords of trunks, webhooks, SIP addresses and caller-id rules are no business of theirs. */
  readonly assistants: boolean;
  /** Its schema, by which its operations are called: `getIvr`, `createIvr`. */
  readonly schema: string;
  /** What follows `list` in the operation that lists it. */
  readonly plural: string;
  /** Where records are made; one is below it. */
  readonly path: string;
  readonly listPath: string;
  /** Members in which a search looks, numbers in any form; none: its collection (api/records/) says how. */
  readonly searched: readonly string[];
  /** The rights (domain/roles.ts) by which it is seen and changed. */
  readonly see: 'directory' | 'look' | 'administer';
  readonly change: 'edit' | 'block' | 'administer';
  /** A secret that must be used again: stored as `sealed_` and the name of the member by which it is sent. */
  readonly sealed: {
    readonly member: string;
    /** Whose secret it is, for the sealer: what was sealed with it can be opened with it alone, so it never changes. */
    readonly place: string;
  } | null;
}

export interface UniqueKey {
  readonly name: string;
  readonly value: string;
}

interface KindFields<F extends Fields> {
  /** What its records are, in a sentence: the description of its tag in the document. Absent: it shares a tag with other operations. */
  readonly about?: string;
  /** What is stored of a record, in the order in which it is shown. */
  readonly fields: F;
  /** What each member is, in a sentence, also of those that are only shown: `rules[].value` is a member of a list's objects. */
  readonly means: { readonly [Member in keyof F]: string } & Readonly<Record<string, string>>;
  /** A body of the document. It names what the demonstration holds, so it works as it stands: a test sends it. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The body with which the document replaces a record; absent: the example. */
  readonly replacement?: Readonly<Record<string, unknown>>;
  /** What no single field can know. A field that was refused left a hole, whatever its type says. */
  readonly check?: (record: RecordOf<F>, faults: Faults) => void;
}

/** As a definition of any kind: each check knows the fields of its own. */
interface AnyFields
  extends Pick<KindFields<Fields>, 'about' | 'fields' | 'means' | 'example' | 'replacement'> {
  readonly check?: (record: never, faults: Faults) => void;
}

interface KindKeys {
  /** Members that are stored beside the fields: what stands for them in rows that lack them. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Values that no two records of the account may share. */
  readonly unique?: (id: string, data: never) => readonly UniqueKey[];
  /**
   * Names of keys that other records and call records hold: a value that a record gave up is never given to another one. An intercom
   * number is not among them: it is dialled, like a desk's extension, and goes to the next owner of the desk.
   */
  readonly lasting?: readonly string[];
}

/** What is stored of the records of any kind. */
export interface KindRecord extends AnyFields, KindKeys {
  readonly of: KindIdentity;
}

export function defineRecord<const Of extends KindIdentity, F extends Fields, const Keys extends KindKeys>(
  of: Of,
  definition: KindFields<F> & Keys,
): { readonly of: Of } & KindFields<F> & Keys {
  return { of, ...definition };
}

type Sealed<D> = D extends {
  readonly of: { readonly sealed: { readonly member: infer Member extends string } };
}
  ? { readonly [Name in `sealed_${Member}`]: string | null }
  : unknown;
type Secret<D> = D extends { readonly of: { readonly sealed: { readonly member: infer Member } } }
  ? Member
  : never;

export type FieldsOf<D> = D extends KindFields<infer F> ? F : never;
/** What is stored of a record: its fields, a secret sealed. */
export type DataOf<D> = Omit<RecordOf<FieldsOf<D>>, Secret<D> & string> & Sealed<D>;
/** The members that may be missing. */
export type DefaultsOf<D> = {
  readonly [Name in keyof FieldsOf<D> as FieldsOf<D>[Name] extends OptionalField<infer _>
    ? Exclude<Name, Secret<D>>
    : never]: FieldsOf<D>[Name] extends Field<infer T> ? T : never;
} & (D extends { readonly beside: infer Beside } ? Beside : unknown);
