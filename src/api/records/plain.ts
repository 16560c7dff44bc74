// What most kinds do with their records: they are read by their fields, the linter looks at their place in a call, searches look at a few
// texts, and a secret is sealed and never shown.
import { readData } from '../../domain/row.ts';
import { sealedPlace } from '../../domain/sealed.ts';
import type { KindIdentity } from '../../kinds/define-kind.ts';
import { readKind } from '../../kinds/fields.ts';
import { KINDS, type RecordKind, type SealedKind } from '../../kinds/lists.ts';
import { nodeOfKind } from '../../kinds/nodes.ts';
import type { Problem } from '../../kinds/problem.ts';
import type { RecordData } from '../../kinds/record-data.ts';
import { lintAround } from '../calls/lint.ts';
import { addressOf, type Collection } from './collection.ts';
import { sealFor } from './seal.ts';

export function plain<K extends RecordKind>(kind: K, own: Partial<Collection<K>> = {}): Collection<K> {
  const { searched }: KindIdentity = KINDS[kind];
  return {
    kind,
    // The cast holds for kinds that store what is sent; others read their own.
    read: (body) => readKind(kind, body) as RecordData[K] | Problem,
    async warnings(data, request, context, id) {
      const node = nodeOfKind(kind, id, data);
      return node ? lintAround(node, request, context) : [];
    },
    ...(searched.length > 0 ? { matches: has(searched) } : {}),
    ...own,
  };
}

const has =
  (members: readonly string[]) =>
  (data: object, needle: string, part: string): boolean =>
    members.some((member) => {
      const text = String(Reflect.get(data, member) ?? '').toLowerCase();
      return text.includes(needle) || text.includes(part);
    });

/** How a secret that must be used again is written and shown: a response only shows whether there is one. */
export function sealing<K extends SealedKind>(
  kind: K,
): Required<Pick<Collection<K>, 'complete' | 'unset' | 'shown'>> {
  const { member } = KINDS[kind].sealed;
  const stored = `sealed_${member}`;
  return {
    /** What was sent, sealed. Nothing was sent: the stored one stays, since it cannot be read and sent again. */
    async complete(data, request, context, id) {
      const secret = request.body.value[member];
      if (typeof secret === 'string') {
        const place = sealedPlace(kind, request.account.id, id);
        const sealed = secret === '' ? null : sealFor(context, place, secret);
        return { data: { ...data, [stored]: sealed }, version: null };
      }
      const row = await context.storage.getRecord(addressOf(kind, request, id));
      if (!row) return { data, version: null };
      const before: unknown = Reflect.get(readData(kind, row.json), stored);
      return { data: { ...data, [stored]: before }, version: row.version };
    },
    unset: { [member]: '' },
    shown(data) {
      const { [stored]: sealed, ...shown }: { readonly [name: string]: unknown } = { ...data };
      return { ...shown, [`has_${member}`]: sealed !== null };
    },
  };
}
