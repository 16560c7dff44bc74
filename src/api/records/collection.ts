// Create, read, list, replace and delete for any kind of record. What differs between kinds is in the Collection:
// each kind's own file says how its body is read, what it points to and what a reader is shown.
import type { Directory } from '../../domain/directory.ts';
import { KINDS, type RecordData, type RecordKind } from '../../domain/kinds.ts';
import { type Fault, isProblem, type Problem, problem } from '../../domain/problem.ts';
import { type StoredRecord, stamps } from '../../domain/record.ts';
import { referenceText } from '../../domain/reference.ts';
import { readRow } from '../../domain/row.ts';
import { uniqueKeys } from '../../domain/unique-keys.ts';
import type { RecordAddress, UniqueKey, UpdateResult } from '../../storage/ports/records.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { decodeCursor, encodeCursor, PAGE_QUERY, pageResponse, readQuery } from '../http/page.ts';
import { etagOf, expecting, recordResponse, versionChanged } from '../http/version.ts';
import { type Fields, optional, text } from '../schemas/field.ts';
import { refuseForbiddenNumbers } from './outbound.ts';
import { refuseIfReferenced, type ShownReferrer } from './referrers.ts';

export interface Collection<K extends RecordKind> {
  readonly kind: K;
  /** `/v1/ivr`; one record is below it, the list is `listPath`. */
  readonly path: string;
  readonly listPath: string;
  read(body: ApiRequest['body']['value']): RecordData[K] | Problem;
  makeId(request: ApiRequest, context: ApiContext): Promise<string> | string;
  /** What a person should know about it. Those about missing references are faults in a strict account. */
  warnings(data: RecordData[K], request: ApiRequest, context: ApiContext, id: string): Promise<Warning[]>;
  /** A reason not to store it, beyond its fields. */
  refuse?(data: RecordData[K], request: ApiRequest, context: ApiContext, id: string): Promise<Problem | null>;
  /** What is stored beyond the fields of the body, such as a sealed password. */
  complete?(
    data: RecordData[K],
    request: ApiRequest,
    context: ApiContext,
    id: string,
  ): Promise<Completed<RecordData[K]>>;
  /** What readers see of it; without this, everything. */
  shown?(data: RecordData[K]): object;
  /** What is true of it at a moment, beside what is stored. */
  now?(data: RecordData[K], atMs: number): object;
  /** Whether it fits a search for this text, in small letters; without this, its list has no search. */
  matches?(data: RecordData[K], needle: string): boolean;
  /** Parameters of the list that choose among its records, each null when it is not sent; `fits` is asked for each record. */
  readonly filters?: Fields;
  fits?(data: RecordData[K], query: { readonly [name: string]: unknown }): boolean;
  /** Whether reading one record shows its warnings. */
  readonly showsWarnings?: boolean;
  /** Whether a creation's answer has the id beside Success and Message. POST /v1/ivr is bound to those two. */
  readonly answersId?: boolean;
  /** The id as readers see it; a team's is a number. */
  shownId?(id: string): string | number;
  /** The member of other records that holds its plain id, instead of `word||id`. */
  readonly plainIdIn?: string;
  /** What points to it other than by `word||id`. */
  referrers?(id: string, directory: Directory): ShownReferrer[];
}

export interface Completed<Data> {
  readonly data: Data;
  /** The version of the stored record that went into it; null: none did. */
  readonly version: number | null;
}

export const SEARCH_QUERY = {
  ...PAGE_QUERY,
  q: optional(text({ min: 1, max: 100, description: 'part of what the list shows' }), null),
} as const;

/** A parameter that a list does not have is ignored, as everywhere. */
const UNSEARCHED_QUERY = { ...PAGE_QUERY, q: { ...SEARCH_QUERY.q, read: () => null } } as const;

/** Rows that are looked through at once for a search. */
const SEARCHED = 500;
const MAX_ATTEMPTS = 5;

export interface Warning {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** Codes of warnings about references that lead nowhere. */
const REFERENCE_CODES: ReadonlySet<string> = new Set([
  'reference_unknown',
  'recording-missing',
  'destination-missing',
  'webhook-missing',
  'sms-template-missing',
]);

export function addressOf(
  kind: RecordKind,
  request: ApiRequest,
  id = request.params['id'] ?? '',
): RecordAddress {
  return { accountId: request.account.id, kind, id };
}

/** The noun of a kind at the head of a sentence. */
export function atHead(kind: RecordKind): string {
  const { noun } = KINDS[kind];
  return noun.charAt(0).toUpperCase() + noun.slice(1);
}

export function unknownRecord(kind: RecordKind): Problem {
  return problem('record_unknown', `There is no ${KINDS[kind].noun} with this id.`);
}

export function describeRecord<K extends RecordKind>(
  of: Collection<K>,
  record: StoredRecord<RecordData[K]>,
  atMs: number,
): object {
  const shown = of.shown?.(record.data) ?? record.data;
  const now = of.now?.(record.data, atMs);
  return { id: of.shownId?.(record.id) ?? record.id, ...shown, ...now, ...stamps(record) };
}

export function creating<K extends RecordKind>(of: Collection<K>): Handler {
  return (request, context) =>
    once(`POST ${of.path}`, request, context, async (claim) => {
      const id = await of.makeId(request, context);
      const checked = await readChecked(of, request, context, id);
      if (isProblem(checked)) return checked;
      const response = done(201, inWords(`${atHead(of.kind)} created`, checked.warnings), {
        headers: { location: `${of.path}/${id}` },
        ...(of.answersId ? { members: { id: of.shownId?.(id) ?? id } } : {}),
      });
      const idempotency = claim(response);
      const result = await context.storage.createRecord({
        ...addressOf(of.kind, request, id),
        atMs: request.nowMs,
        json: JSON.stringify((await completed(of, checked.data, request, context, id)).data),
        ...uniqueKeys(of.kind, id, checked.data),
        ...(idempotency ? { idempotency } : {}),
      });
      return result.outcome === 'key_taken' ? keyTaken(of.kind, result.key) : { result, response };
    });
}

function keyTaken(kind: RecordKind, { name, value }: UniqueKey): Problem {
  return problem('key_taken', `Another ${KINDS[kind].noun} has the ${name} ${value} already.`);
}

async function completed<K extends RecordKind>(
  of: Collection<K>,
  data: RecordData[K],
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<Completed<RecordData[K]>> {
  return of.complete ? of.complete(data, request, context, id) : { data, version: null };
}

export function reading<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const row = await context.storage.getRecord(addressOf(of.kind, request));
    if (!row) return unknownRecord(of.kind);
    const record = readRow(of.kind, row);
    const warnings = of.showsWarnings
      ? { warnings: await of.warnings(record.data, request, context, record.id) }
      : {};
    return recordResponse(request, record.version, {
      ...describeRecord(of, record, request.nowMs),
      ...warnings,
    });
  };
}

export function listing<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const query = readQuery(of.matches ? SEARCH_QUERY : UNSEARCHED_QUERY, request);
    if (isProblem(query)) return query;
    const filters = readQuery(of.filters ?? {}, request);
    if (isProblem(filters)) return filters;
    const needle = query.q?.trim().toLowerCase() ?? null;
    const isWanted = (data: RecordData[K]): boolean =>
      (needle === null || of.matches?.(data, needle) === true) && (of.fits?.(data, filters) ?? true);
    const isWhole = needle === null && Object.values(filters).every((value) => value === null);
    const place = decodeCursor(query.cursor);
    if (isProblem(place)) return place;
    const afterId = String(place[0] ?? '');
    const limit = query.limit + 1;
    const records = isWhole
      ? (await context.storage.listRecords({ ...listOf(of, request), afterId, limit })).map((row) =>
          readRow(of.kind, row),
        )
      : await search(of, isWanted, request, context, { afterId, limit });
    const page = records.slice(0, query.limit);
    const last = records.length > query.limit ? page.at(-1) : undefined;
    const data = page.map((record) => describeRecord(of, record, request.nowMs));
    return pageResponse(request, of.listPath, data, last ? encodeCursor([last.id]) : null);
  };
}

/** Kinds that can be searched are few enough to be looked through; most searches end within the first rows. */
async function search<K extends RecordKind>(
  of: Collection<K>,
  isWanted: (data: RecordData[K]) => boolean,
  request: ApiRequest,
  context: ApiContext,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<StoredRecord<RecordData[K]>[]> {
  const found: StoredRecord<RecordData[K]>[] = [];
  for (let from = afterId; found.length < limit; ) {
    const rows = await context.storage.listRecords({
      ...listOf(of, request),
      afterId: from,
      limit: SEARCHED,
    });
    found.push(...rows.map((row) => readRow(of.kind, row)).filter(({ data }) => isWanted(data)));
    const last = rows.at(-1);
    if (rows.length < SEARCHED || !last) break;
    from = last.id;
  }
  return found.slice(0, limit);
}

function listOf<K extends RecordKind>(
  { kind }: Collection<K>,
  request: ApiRequest,
): { accountId: string; kind: RecordKind } {
  return { accountId: request.account.id, kind };
}

export function replacing<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const checked = await readChecked(of, request, context, request.params['id'] ?? '');
    if (isProblem(checked)) return checked;
    const message = (version: number) =>
      inWords(`${atHead(of.kind)} updated to version ${version}`, checked.warnings);
    return replace(of, request, context, checked.data, message);
  };
}

/** Stores the data as the next version, if the version is the one that If-Match names. */
export async function replace<K extends RecordKind>(
  of: Collection<K>,
  request: ApiRequest,
  context: ApiContext,
  data: RecordData[K],
  message: (version: number) => string,
): Promise<ApiResponse | Problem> {
  const expected = expecting(request);
  if (isProblem(expected)) return expected;
  const address = addressOf(of.kind, request);
  for (let attempt = 1; ; attempt++) {
    const { data: stored, version } = await completed(of, data, request, context, address.id);
    const result = await context.storage.updateRecord({
      ...address,
      ...(version === null ? {} : { expectedVersion: version }),
      ...expected,
      ...uniqueKeys(of.kind, address.id, data),
      atMs: request.nowMs,
      json: JSON.stringify(stored),
    });
    // Somebody changed what this change keeps; nobody asked for a certain version, so it is made again.
    const again = result.outcome === 'version_changed' && expected.expectedVersion === undefined;
    if (!again || attempt === MAX_ATTEMPTS) return updateResponse(of.kind, result, message);
  }
}

function updateResponse(
  kind: RecordKind,
  result: UpdateResult,
  message: (version: number) => string,
): ApiResponse | Problem {
  if (result.outcome === 'version_changed') return versionChanged(result.version);
  if (result.outcome === 'key_taken') return keyTaken(kind, result.key);
  if (result.outcome !== 'updated') return unknownRecord(kind);
  return done(200, message(result.version), { headers: { etag: etagOf(result.version) } });
}

export function deleting<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const expected = expecting(request);
    if (isProblem(expected)) return expected;
    const address = addressOf(of.kind, request);
    const { word } = KINDS[of.kind];
    const more = of.referrers?.(address.id, await request.directory()) ?? [];
    const refusal = await refuseIfReferenced(
      request,
      context,
      `This ${KINDS[of.kind].noun}`,
      of.plainIdIn ? address.id : word && referenceText(word, address.id),
      more,
      of.plainIdIn,
    );
    if (refusal) return refusal;
    const result = await context.storage.deleteRecord({ ...address, ...expected });
    if (result.outcome === 'unknown') return unknownRecord(of.kind);
    return result.outcome === 'deleted'
      ? done(200, `${atHead(of.kind)} deleted.`)
      : versionChanged(result.version);
  };
}

async function readChecked<K extends RecordKind>(
  of: Collection<K>,
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<{ data: RecordData[K]; warnings: Warning[] } | Problem> {
  const data = of.read(request.body.value);
  return isProblem(data) ? data : checkData(of, data, request, context, id);
}

/** What is true of data whose fields are right: its warnings, or why it is not stored. */
export async function checkData<K extends RecordKind>(
  of: Collection<K>,
  data: RecordData[K],
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<{ data: RecordData[K]; warnings: Warning[] } | Problem> {
  const forbidden = await refuseForbiddenNumbers(data, request);
  if (forbidden) return forbidden;
  const warnings = await of.warnings(data, request, context, id);
  return (
    refuseIfStrict(request, warnings) ?? (await of.refuse?.(data, request, context, id)) ?? { data, warnings }
  );
}

export function refuseIfStrict(request: ApiRequest, warnings: readonly Warning[]): Problem | null {
  if (!request.account.settings.strict_references) return null;
  const faults = warnings
    .filter(({ code }) => REFERENCE_CODES.has(code))
    .map(({ pointer, message }): Fault => ({ pointer, code: 'reference_unknown', message }));
  if (faults.length === 0) return null;
  return problem('fields_invalid', faults.map(({ message }) => message).join(' '), { faults });
}

export function inWords(what: string, warnings: readonly Warning[]): string {
  if (warnings.length === 0) return `${what}.`;
  const count = warnings.length === 1 ? 'one warning' : `${warnings.length} warnings`;
  const said = warnings.map(({ pointer, message }) =>
    pointer === '' ? message : `${pointer.slice(1).replaceAll('/', ' ')}: ${message}`,
  );
  return `${what}, with ${count}: ${said.join(' ')}`;
}
