// The account's draft: changes of the console that wait for their publication, what is wrong with them, and publications that can be
// rolled back. docs/decisions/0034-drafts.md has the reasons.
import { STAR_CODES } from '../../calls/routing/star-codes.ts';
import { allows, isUserSession } from '../../domain/account.ts';
import { MAX_PUBLICATIONS, MAX_PUBLISH_REASON, MAX_PUBLISHED_BYTES } from '../../domain/draft.ts';
import { refsOf } from '../../domain/drafted-flow.ts';
import { newId } from '../../domain/id.ts';
import { seesPins } from '../../domain/roles.ts';
import { readData } from '../../domain/row.ts';
import { uniqueKeys } from '../../domain/unique-keys.ts';
import type { Finding } from '../../flow/lint/finding.ts';
import type { DraftJob } from '../../flow-jobs/job.ts';
import { oneOf, optional, readRecord, text } from '../../kinds/field.ts';
import { DESTINATION_KINDS, DRAFTED_KINDS, KINDS, RECORD_KINDS, type RecordKind } from '../../kinds/lists.ts';
import { type Fault, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { referenceText } from '../../kinds/reference.ts';
import { destination } from '../../kinds/reference-fields.ts';
import type {
  DraftEntry,
  Publication,
  PublishConflict,
  PublishedChange,
  Replaced,
} from '../../storage/ports/drafts.ts';
import { flowJobResponse } from '../calls/simulate.ts';
import { roleRefused, scopeMissing } from '../http/auth.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { decodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { mayDelete } from '../records/deleted.ts';
import { REFERENCE_CODES } from '../records/warnings.ts';
import { object, string, time } from '../schemas/output.ts';
import { actorOf } from './audit.ts';
import { ACTIONS, hashOf, nameIn } from './drafted-changes.ts';

export const PUBLISH_FIELDS = {
  reason: text({ min: 1, max: MAX_PUBLISH_REASON, description: 'why, for those who read it later' }),
} as const;

export const PUBLISH_DRAFT_FIELDS = {
  ...PUBLISH_FIELDS,
  hash: optional(text({ min: 64, max: 64, description: 'of the draft that was shown' }), null),
} as const;

/** Faults in one sentence. */
const MAX_NAMED = 3;

/** Where a simulated call begins. */
export const ENTRY = destination(DESTINATION_KINDS);

export const ROLL_BACK_QUERY = {
  skip_tests: optional(oneOf(['true', 'false'], 'publish it even if tests of menus fail'), 'false'),
} as const;

export const PUBLISH_QUERY = {
  ...ROLL_BACK_QUERY,
  force: optional(oneOf(['true', 'false'], 'publish it even if what it names does not exist'), 'false'),
} as const;

const action = { enum: ACTIONS };
const data = { type: ['object', 'null'] };
const orNull = { type: ['string', 'null'] };
const change = { kind: string, id: string, name: string, action };

export const DRAFT_SCHEMAS = {
  Draft: object({
    hash: string,
    data: {
      type: 'array',
      items: object({
        ...change,
        conflict: { type: 'boolean' },
        editor: string,
        at: time,
        before: data,
        after: data,
      }),
    },
    next_cursor: orNull,
  }),
  DraftCheck: object({
    findings: {
      type: 'array',
      items: object({
        code: string,
        severity: { enum: ['error', 'warning'] },
        node: string,
        pointer: string,
        message: string,
      }),
    },
    tests: {
      type: 'array',
      items: object({
        menu: string,
        menu_name: string,
        name: string,
        passed: { type: 'boolean' },
        failed_before: { type: 'boolean' },
        differences: { type: 'array', items: string },
      }),
    },
  }),
  Published: object({ Success: { const: true }, Message: string, id: string }),
  Publication: object({
    id: string,
    at: time,
    publisher: string,
    reason: string,
    rolls_back: orNull,
    rolled_back_by: orNull,
    changes: { type: 'array', items: object(change) },
  }),
};

/** The linter and the stored tests over the account as it would be. */
export const checkDraft: Handler = async (request, context) => checked(request, context);

/** A call over the account as it would be. */
export const simulateDraft: Handler = async (request, context) => {
  const { entry: sent, ...scenario } = request.body.value;
  const read = readRecord({ entry: ENTRY }, { entry: sent });
  if (isProblem(read)) return read;
  const hidesPins = !seesPins(request.user?.role ?? null);
  return checked(request, context, { call: { entry: read.entry, scenario, hidesPins } });
};

async function checked(
  request: ApiRequest,
  context: ApiContext,
  { call = null, isBrief }: Partial<Pick<DraftJob, 'call' | 'isBrief'>> = {},
): Promise<ApiResponse | Problem> {
  const { id: accountId, settings } = request.account;
  const entries = await context.storage.listDraft({ accountId });
  return flowJobResponse(context, {
    kind: 'draft',
    call,
    ...(isBrief ? { isBrief } : {}),
    accountId,
    settings,
    capabilities: context.capabilities,
    starCodes: STAR_CODES,
    changes: entries.map(({ kind, id, json }) => ({ kind, id, json })),
  });
}

export const discardDraft: Handler = async (request, { storage }) => {
  const accountId = request.account.id;
  const barred = refuseOthers(request, await storage.listDraft({ accountId }));
  if (barred) return barred;
  const { dropped } = await storage.dropDraft({ accountId });
  return done(200, `Draft discarded, with ${dropped} ${dropped === 1 ? 'record' : 'records'}`);
};

/** What somebody else has drafted is discarded by who could publish it: one who may only draft discards the own changes. */
function refuseOthers(request: ApiRequest, entries: readonly DraftEntry[]): Problem | null {
  const { id: own } = actorOf(request);
  const others = entries.filter(({ editorId }) => editorId !== own);
  if (others.length === 0) return null;
  const { token } = request;
  return isUserSession(token) || allows(token, 'write')
    ? refuseKinds(request, others)
    : scopeMissing('write', token);
}

export const discardDrafted: Handler = async (request, { storage }) => {
  const { id: accountId } = request.account;
  const { kind = '', id = '' } = request.params;
  const known = RECORD_KINDS.find((each) => each === kind && DRAFTED_KINDS.has(each));
  const barred =
    known && refuseOthers(request, await storage.listDraft({ accountId, kind: known, ids: [id] }));
  if (barred) return barred;
  const { dropped } = known
    ? await storage.dropDraft({ accountId, only: { kind: known, id } })
    : { dropped: 0 };
  if (dropped === 0) return problem('record_unknown', 'The draft has no such record.');
  return done(200, 'Change discarded');
};

export const publishDraft: Handler = async (request, context) => {
  const query = readQuery(PUBLISH_QUERY, request);
  if (isProblem(query)) return query;
  const sent = readRecord(PUBLISH_DRAFT_FIELDS, request.body.value);
  if (isProblem(sent)) return sent;
  const entries = await context.storage.listDraft({ accountId: request.account.id });
  if (entries.length === 0)
    return problem('draft_empty', 'The draft has no changes: there is nothing to publish.');
  // What somebody else, or an assistant, has drafted is not published by who may not change it.
  const barred = refuseKinds(request, entries);
  if (barred) return barred;
  if (sent.hash !== null && sent.hash !== hashOf(entries))
    return problem('publish_conflict', 'Nothing was published: the draft is not the one that was shown.');
  const bytes = entries.reduce((sum, { json }) => sum + (json?.length ?? 0), 0);
  if (bytes > MAX_PUBLISHED_BYTES)
    return problem('work_too_large', 'The draft is too large to be published at once: discard some changes.');
  const missing = await missingIn(entries, request, context);
  if (isProblem(missing)) return missing;
  const refused = refuseMissing(missing, query.force === 'true', request);
  if (refused) return refused;
  const outcome = await published(request, context, {
    reason: sent.reason,
    rollsBack: null,
    edits: entries.map(({ edits }) => edits),
    changes: entries.map(({ kind, id, baseVersion, json }) => ({
      kind,
      id,
      baseVersion,
      json,
      ...keysOf(kind, id, json),
    })),
  });
  return withMissing(outcome, missing);
};

/** The role may not change each of these kinds. */
function refuseKinds(request: ApiRequest, changes: readonly { readonly kind: RecordKind }[]): Problem | null {
  const { user } = request;
  return user && changes.some(({ kind }) => !mayDelete(request, kind)) ? roleRefused(user.role) : null;
}

/** What runDraft() in flow-jobs/run-draft.ts has written, as far as it decides. */
interface Check {
  readonly findings: readonly Finding[];
}

/** What the draft's records name and does not exist. What was stored before is not the draft's fault. */
async function missingIn(
  entries: readonly DraftEntry[],
  request: ApiRequest,
  context: ApiContext,
): Promise<Fault[] | Problem> {
  const response = await checked(request, context, { isBrief: true });
  if (isProblem(response)) return response;
  const { findings } = JSON.parse(String(response.bytes)) as Check;
  const names = new Map<string, string>();
  for (const { kind, id, json } of entries) {
    if (json === null) continue;
    const name = nameIn(kind, json);
    // The linter names numbers by what is dialled.
    for (const ref of kind === 'number' ? [referenceText(kind, name)] : refsOf({ kind, id }))
      names.set(ref, name);
  }
  const isStrict = request.account.settings.strict_references;
  return findings
    .filter(({ code, severity }) => REFERENCE_CODES.has(code) && (isStrict || severity === 'error'))
    .filter(({ node }) => names.has(node))
    .map(({ node, message }): Fault => {
      const said = `${names.get(node)}: ${message}`;
      return { pointer: '', code: 'reference_unknown', message: said };
    });
}

/** A strict account cannot be forced. */
function refuseMissing(
  faults: readonly Fault[],
  isForced: boolean,
  { account: { settings } }: ApiRequest,
): Problem | null {
  const [first] = faults;
  if (!first || (isForced && !settings.strict_references)) return null;
  const anyway = settings.strict_references ? '' : ' Publish it all the same with ?force=true.';
  return problem('fields_invalid', `Nothing was published. ${first.message}${anyway}`, { faults });
}

/** A publication that was forced says what callers will miss. */
function withMissing(outcome: ApiResponse | Problem, faults: readonly Fault[]): ApiResponse | Problem {
  if (isProblem(outcome) || faults.length === 0) return outcome;
  const { Message: message, ...members } = outcome.json as { readonly Message: string };
  const said = faults.slice(0, MAX_NAMED).map((fault) => fault.message);
  const more = faults.length > MAX_NAMED ? ` And ${faults.length - MAX_NAMED} more.` : '';
  return {
    ...outcome,
    json: { ...members, Message: `${message}, although something is missing. ${said.join(' ')}${more}` },
  };
}

const keysOf = (kind: RecordKind, id: string, json: string | null) =>
  json === null ? {} : uniqueKeys(kind, id, readData(kind, json));

interface ToPublish {
  readonly reason: string;
  readonly rollsBack: string | null;
  readonly changes: readonly PublishedChange[];
  readonly edits?: readonly number[];
}

async function published(
  request: ApiRequest,
  context: ApiContext,
  what: ToPublish,
): Promise<ApiResponse | Problem> {
  const { id: publisherId, name: publisherName, atMs } = actorOf(request);
  const id = newId(atMs);
  const result = await context.storage.publish({
    accountId: request.account.id,
    ...{ id, atMs, publisherId, publisherName },
    most: MAX_PUBLICATIONS,
    ...what,
  });
  if (result.outcome === 'conflict') return conflictProblem(result, what.changes);
  const count = what.changes.length;
  const verb = what.rollsBack === null ? 'Published' : 'Rolled back';
  return done(201, `${verb}: ${count} ${count === 1 ? 'record' : 'records'}`, { members: { id } });
}

const WHY: { readonly [W in PublishConflict['why']]: string } = {
  changed: 'was changed by somebody else meanwhile',
  deleted: 'was deleted meanwhile',
  exists: 'exists already',
  key_taken: 'has a number that another record has already',
  draft_changed: 'was changed in the draft meanwhile',
  rolled_back: 'was rolled back already',
};

function conflictProblem({ kind, id, why }: PublishConflict, changes: readonly PublishedChange[]): Problem {
  const json = changes.find((each) => each.kind === kind && each.id === id)?.json ?? null;
  const name = nameIn(kind, json) || id;
  return problem('publish_conflict', `Nothing was published: the ${KINDS[kind].noun} "${name}" ${WHY[why]}.`);
}

export const listPublications: Handler = async (request, context) => {
  const query = readQuery(PAGE_QUERY, request);
  if (isProblem(query)) return query;
  const place = decodeCursor(query.cursor);
  if (isProblem(place)) return place;
  const rows = await context.storage.listPublications({
    accountId: request.account.id,
    ...(place.length > 0 ? { beforeId: String(place[0]) } : {}),
    limit: query.limit + 1,
  });
  return pageResponse(request, '/v1/publications', {
    rows,
    limit: query.limit,
    describe: describePublication,
    position: ({ id }) => [id],
  });
};

const describePublication = (publication: Publication): object => ({
  id: publication.id,
  at: new Date(publication.atMs).toISOString(),
  publisher: publication.publisherName,
  reason: publication.reason,
  rolls_back: publication.rollsBack,
  rolled_back_by: publication.rolledBackBy,
  changes: publication.summary,
});

/** The inverse of a publication, as a publication of its own: refused where one of its records was changed since. */
export const rollBack: Handler = async (request, context) => {
  const sent = readRecord(PUBLISH_FIELDS, request.body.value);
  if (isProblem(sent)) return sent;
  const address = { accountId: request.account.id, id: request.params['id'] ?? '' };
  const changes = await context.storage.publishedChanges(address);
  if (!changes) return problem('record_unknown', 'There is no publication with this id.');
  const barred = refuseKinds(request, changes);
  if (barred) return barred;
  return published(request, context, {
    reason: sent.reason,
    rollsBack: address.id,
    changes: changes.map(inverseOf),
  });
};

const inverseOf = ({ kind, id, before, version }: Replaced): PublishedChange => ({
  kind,
  id,
  baseVersion: version,
  json: before,
  ...keysOf(kind, id, before),
});
