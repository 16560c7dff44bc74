// DELETE for any kind of record: refused while others point to it, unless `force=true`. A forced deletion takes the record out of
// the lists of others; single references stay, since what should stand there instead is not known, and the linter warns of them.

import { placedReferences } from '../../domain/record-references.ts';
import { DRAFTED_KINDS, KINDS, type RecordKind } from '../../kinds/lists.ts';
import { isProblem, type Problem } from '../../kinds/problem.ts';
import { referenceText } from '../../kinds/reference.ts';
import { usesDraft } from '../account/in-draft.ts';
import { type ApiContext, type ApiRequest, done, type Handler } from '../http/handler.ts';
import { expecting, versionChanged } from '../http/version.ts';
import { addressOf, atHead, type Collection, draftFull, unknownRecord } from './collection.ts';
import { inShort, isSame, readForce, referrersOf, type ShownReferrer, stillReferenced } from './referrers.ts';

export function deleting<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const expected = expecting(request);
    if (isProblem(expected)) return expected;
    const name = request.params[of.key ?? 'id'] ?? '';
    const found = await of.find?.(request, context, false);
    const id = of.find ? found?.id : name;
    if (id === undefined) return unknownRecord(of.kind, of.key);
    const force = readForce(request);
    if (isProblem(force)) return force;
    const referrers = await usersOf(of, name, request, context);
    if (!force.forced && referrers.length > 0)
      return stillReferenced(`This ${KINDS[of.kind].noun}`, referrers);
    // Nothing leaves a list where the deletion is refused.
    const { expectedVersion } = expected;
    if (found && expectedVersion !== undefined && found.version !== expectedVersion)
      return versionChanged(found.version);
    if (!usesDraft(request) || !DRAFTED_KINDS.has(of.kind))
      await context.testGate?.check([{ kind: of.kind, id: found?.id ?? id, json: null }]);
    // Lists first: after a crash between, no list names a record that is gone, and the deletion can be repeated.
    const leave = async () => (force.forced ? ((await of.leaveLists?.(name, request, context)) ?? []) : []);
    const early = await leave();
    const result = await context.storage.deleteRecord({ ...addressOf(of.kind, request, id), ...expected });
    if (result.outcome === 'unknown') return unknownRecord(of.kind, of.key);
    if (result.outcome === 'version_changed') return versionChanged(result.version);
    if (result.outcome === 'draft_full') return draftFull();
    // Those that were saved with it during the deletion.
    const late = (await leave()).filter((one) => !early.some((other) => isSame(one, other)));
    const left = [...early, ...late];
    const rest = referrers.filter((referrer) => !left.some((one) => isSame(one, referrer)));
    return done(200, `${atHead(of.kind)} deleted.${touched(left, rest)}`, {
      members: {
        ...(left.length > 0 ? { RemovedFrom: left } : {}),
        ...(rest.length > 0 ? { ReferencedBy: rest } : {}),
      },
    });
  };
}

function touched(left: readonly ShownReferrer[], rest: readonly ShownReferrer[]): string {
  const removed = left.length > 0 ? ` Removed from ${inShort(left)}.` : '';
  const remaining =
    rest.length > 0 ? ` Still referred to by ${inShort(rest)}: change the reference there.` : '';
  return removed + remaining;
}

/** `name` is what other records call it: its id, or its key. */
export async function refuseIfUsed<K extends RecordKind>(
  of: Collection<K>,
  name: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<Problem | null> {
  const force = readForce(request);
  if (isProblem(force)) return force;
  if (force.forced) return null;
  const referrers = await usersOf(of, name, request, context);
  return referrers.length > 0 ? stillReferenced(`This ${KINDS[of.kind].noun}`, referrers) : null;
}

/** A setting may point to a record, too. */
function inSettings(reference: string | null, { account }: ApiRequest): ShownReferrer[] {
  return placedReferences(account.settings)
    .filter(({ kind, id }) => referenceText(kind, id) === reference)
    .map(({ pointer }) => ({ kind: 'settings', id: pointer.slice(1), name: pointer.slice(1) }));
}

/** What points to it: records and settings. */
export async function usersOf<K extends RecordKind>(
  of: Collection<K>,
  name: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<ShownReferrer[]> {
  const { word } = KINDS[of.kind];
  const reference = of.plainIdIn ? name : word && referenceText(word, name);
  const more = [
    ...(of.referrers?.(name, await request.directory()) ?? []),
    ...inSettings(reference, request),
  ];
  return referrersOf(request, context, reference, more, of.plainIdIn);
}
