// The secrets of records that must be used again. Each is in one member, `sealed_` and the name by which it is sent; the row of the kind says
// which (kinds/kinds.ts). Code that handles secrets asks here and no kind by name.
import { KINDS, type RecordKind, type SealedKind } from '../kinds/lists.ts';
import type { RecordData } from '../kinds/record-data.ts';

/** What follows `sealed_` in the name of a kind's sealed member. */
type SealedName<Data> = keyof Data extends infer Member
  ? Member extends `sealed_${infer Name}`
    ? Name
    : never
  : never;

// The compiler names a kind whose data has a sealed member and whose module does not say so, and the other way round.
KINDS satisfies {
  readonly [K in RecordKind]: {
    readonly sealed: [SealedName<RecordData[K]>] extends [never]
      ? null
      : { readonly member: SealedName<RecordData[K]> };
  };
};

export type { SealedKind };
export type SecretMember<K extends SealedKind> = (typeof KINDS)[K]['sealed']['member'];

export const isSealedKind = (kind: RecordKind): kind is SealedKind => KINDS[kind].sealed !== null;

export const secretMember = <K extends SealedKind>(kind: K): SecretMember<K> => KINDS[kind].sealed.member;

export function sealedPlace(kind: SealedKind, accountId: string, id: string): string {
  return `${KINDS[kind].sealed.place} ${accountId} ${id}`;
}
