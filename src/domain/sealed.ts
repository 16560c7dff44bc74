// The kinds whose records hold a secret that must be used again: each in one member, `sealed_` and the name by which it is sent.
// The compiler names a kind that lacks its row. Code that handles secrets asks this table and no kind by name.
import { keysOf, type RecordData, type RecordKind } from './kinds.ts';

type SealedMember<D> = keyof D extends infer Member
  ? Member extends `sealed_${infer Name}`
    ? Name
    : never
  : never;

export type SealedKind = {
  [K in RecordKind]: SealedMember<RecordData[K]> extends never ? never : K;
}[RecordKind];

interface SealedRow<Name> {
  readonly member: Name;
  /** Whose secret it is, for the sealer: what is sealed with it can be opened with it alone, so it never changes. */
  readonly place: string;
}

export const SEALED = {
  trunk: { member: 'password', place: 'trunk password' },
  request: { member: 'secret', place: 'request secret' },
  stream: { member: 'secret', place: 'stream secret' },
  sip_address: { member: 'password', place: 'SIP address password' },
  webhook: { member: 'secret', place: 'webhook secret' },
} as const satisfies { readonly [K in SealedKind]: SealedRow<SealedMember<RecordData[K]>> };

const SEALED_KINDS: ReadonlySet<RecordKind> = new Set(keysOf(SEALED));

export const isSealedKind = (kind: RecordKind): kind is SealedKind => SEALED_KINDS.has(kind);

export function sealedPlace(kind: SealedKind, accountId: string, id: string): string {
  return `${SEALED[kind].place} ${accountId} ${id}`;
}
