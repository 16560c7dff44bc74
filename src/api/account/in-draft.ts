// What a request that works on the draft sees: the stored records and the draft's together. Records that a draft
// refers to may be new in the same draft; they are published in one transaction.
import { onlyDrafts } from '../../domain/account.ts';
import { type DraftChange, draftedFlow } from '../../domain/drafted-flow.ts';
import type { Flow } from '../../flow/flow.ts';
import { resolve } from '../../flow/flow.ts';
import { splitReference } from '../../kinds/reference.ts';
import type { ApiContext, ApiRequest } from '../http/handler.ts';

/** The header of a request whose changes of the call flow go into the draft, and which reads them from there. */
const DRAFT_HEADER = 'dialtree-draft';

/**
 * Whether a request works on the draft: in the console, of an account that wants it; with a token that may only draft; and where the
 * request says so.
 */
export const usesDraft = ({ account, token, headers }: ApiRequest): boolean =>
  (token?.use === 'session' && account.settings.require_publish) ||
  (token !== undefined && onlyDrafts(token)) ||
  headers[DRAFT_HEADER] === 'true';

/** None where the request does not work on a draft. */
export async function draftChanges(request: ApiRequest, { storage }: ApiContext): Promise<DraftChange[]> {
  if (!usesDraft(request)) return [];
  const entries = await storage.listDraft({ accountId: request.account.id });
  return entries.map(({ kind, id, json }) => ({ kind, id, json }));
}

/** The directory as a flow, with the draft. */
export async function flowInDraft(request: ApiRequest, context: ApiContext): Promise<Flow> {
  return draftedFlow(await request.flow(), await draftChanges(request, context));
}

/** For records that are drafted. Menus are not in the directory: one that is pointed to is looked up. */
export async function existsInDraft(
  reference: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<boolean> {
  const { kind, id } = splitReference(reference);
  // The storage of a request in a draft lays the draft over its reads.
  if (kind === 'ivr')
    return (await context.storage.getRecord({ accountId: request.account.id, kind, id })) !== null;
  return resolve(await flowInDraft(request, context), reference) !== null;
}

/** For records that take effect at once: what only the draft has does not exist for them. */
export async function existsPublished(
  reference: string,
  request: ApiRequest,
  context: ApiContext,
): Promise<boolean> {
  const { kind, id } = splitReference(reference);
  const accountId = request.account.id;
  if (kind !== 'ivr') return resolve(await request.flow(), reference) !== null;
  const [entry] = usesDraft(request) ? await context.storage.listDraft({ accountId, kind, ids: [id] }) : [];
  if (entry) return entry.baseVersion !== null;
  return (await context.storage.getRecord({ accountId, kind, id })) !== null;
}
