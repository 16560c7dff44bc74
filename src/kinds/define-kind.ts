// What is true of a kind of record as a whole. Each kind has a module of its own in this folder; lists of kinds elsewhere derive from them.

export interface KindDefinition {
  readonly kind: string;
  /** As it stands within a sentence. */
  readonly noun: string;
  readonly nouns: string;
  /** The word of `word||id` in other records; null: none has it so. `number||100` is a telephone number, not a record. */
  readonly word: string | null;
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

export function defineKind<const Definition extends KindDefinition>(definition: Definition): Definition {
  return definition;
}
