// Read, replace and change for any kind of record; creation.ts, patching.ts and deletion.ts have the rest. What differs between kinds is in the Collection:
// how a body is read, what the record points to, what readers see of it. plain.ts has what most of them do.
import type { AccountLimits } from '../../domain/account-limits.ts';
import type { Directory } from '../../domain/directory.ts';
import { MAX_DRAFT, MAX_PUBLISHED_BYTES } from '../../domain/draft.ts';
import type { Numbering } from '../../domain/numbering.ts';
import { readRow } from '../../domain/row.ts';
import { uniqueKeys } from '../../domain/unique-keys.ts';
import { type Pins, WITHHELD } from '../../domain/withheld-pins.ts';
import type { Field, Fields } from '../../kinds/field.ts';
import { KINDS, type RecordKind } from '../../kinds/lists.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { type StoredRecord, stamps } from '../../kinds/record.ts';
import type { RecordData } from '../../kinds/record-data.ts';
import type { CreateResult, RecordAddress, UniqueKey, UpdateResult } from '../../storage/ports/records.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { APPLIED, wantsRecord } from '../http/prefer.ts';
import { etagOf, expecting, recordResponse, versionChanged } from '../http/version.ts';
import { type HiddenPins, hiddenFrom } from './hidden-pins.ts';
import { refuseForbiddenNumbers } from './outbound.ts';
import type { ShownReferrer } from './referrers.ts';
import { inWords, refuseIfStrict, type Warning } from './warnings.ts';

export interface Collection<K extends RecordKind> {
  readonly kind: K;
  /** The parameter of the path that names a record, where that is not its id; `find` looks it up. */
  readonly key?: 'eid';
  /** The record that a request names by its key, as it was when the request arrived; `again`: as it is now. */
  find?(
    request: ApiRequest,
    context: ApiContext,
    again: boolean,
  ): Promise<StoredRecord<RecordData[K]> | undefined>;
  /** The id of the record that the path names, where it may be named by more than its id. */
  resolve?(request: ApiRequest, context: ApiContext): Promise<string>;
  read(body: ApiRequest['body']['value']): RecordData[K] | Problem;
  /** An id that a client chooses; without this, letters, digits and a few signs. Null: what was sent counts as not sent. */
  readonly idField?: Field<string | number | null>;
  /** Without this, a new id that sorts by time. */
  makeId?(request: ApiRequest, context: ApiContext): Promise<string>;
  /** What a person should know about it. Those about missing references are faults in a strict account. */
  warnings(data: RecordData[K], request: ApiRequest, context: ApiContext, id: string): Promise<Warning[]>;
  /** A reason not to store it, beyond its fields. */
  refuse?(data: RecordData[K], request: ApiRequest, context: ApiContext, id: string): Promise<Problem | null>;
  /** How many the account may have, beside `max_records`; only of kinds with unique keys or networks. */
  most?(limits: AccountLimits): number;
  /** The body of a change, where a member that was sent back as it was read goes by the rest of the body; with what to say about it. */
  adapt?(request: ApiRequest, context: ApiContext): Promise<Adapted | null>;
  /** What is stored beyond the fields of the body, such as a sealed password. */
  complete?(
    data: RecordData[K],
    request: ApiRequest,
    context: ApiContext,
    id: string,
  ): Promise<Completed<RecordData[K]>>;
  /** Members that readers do not see: what a PATCH that sets them to null stands for in a PUT. */
  readonly unset?: { readonly [member: string]: unknown };
  /** Members that roles without business with them do not see (domain/roles.ts). */
  readonly pins?: readonly string[];
  /** What such roles see of it, where the PINs of other records may be in it. */
  withoutPins?(shown: object, pins: Pins): object;
  /** What readers see of it; without this, everything. */
  shown?(data: RecordData[K]): object;
  /** What a reader of one record sees, where that needs other records. */
  describe?(record: StoredRecord<RecordData[K]>, request: ApiRequest): Promise<object>;
  /** What is true of it at a moment, beside what is stored. */
  now?(data: RecordData[K], atMs: number): object;
  /**
   * Whether it matches a search for this text, in lower case; without this, its list has no search. `part` is what all forms of
   * the number contain, if the text is one.
   */
  matches?(data: RecordData[K], needle: string, part: string): boolean;
  /** Parameters of the list that select records, each null when it is not sent; `fits` is called for each record. */
  readonly filters?: Fields;
  fits?(data: RecordData[K], query: { readonly [name: string]: unknown }, numbering: Numbering): boolean;
  readonly showsWarnings?: boolean;
  /** The response to a creation has Success and Message alone: POST /v1/ivr is bound to those two. */
  readonly hidesNewId?: true;
  /** What the response to a creation says; without this, the noun and the id. */
  created?(id: string, data: RecordData[K]): { message: string; key: string; members: object };
  /** The id as readers see it; a team's is a number. */
  shownId?(id: string): string | number;
  /** The member of other records that holds its plain id, instead of `word||id`. */
  readonly plainIdIn?: string;
  /** What points to it other than by `word||id`. */
  referrers?(id: string, directory: Directory): ShownReferrer[];
  /** Before and after a forced deletion: takes it out of the lists of other records as they are now, and returns those. Other references stay. */
  leaveLists?(id: string, request: ApiRequest, context: ApiContext): Promise<ShownReferrer[]>;
}

export interface Adapted {
  readonly value: ApiRequest['body']['value'];
  readonly warning: Warning;
}

export interface Completed<Data> {
  readonly data: Data;
  /** The version of the stored record that went into it; null: none did. */
  readonly version: number | null;
  /** Names of unique keys whose values were made here: where one is taken already, another is made. */
  readonly madeKeys?: readonly string[];
  /** A new secret: in this response, but not in the one that an Idempotency-Key repeats. */
  readonly shownOnce?: { readonly message: string; readonly members: object };
}

export const MAX_ATTEMPTS = 5;

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

export function unknownRecord(kind: RecordKind, key = 'id'): Problem {
  return problem('record_unknown', `There is no ${KINDS[kind].noun} with this ${key}.`);
}

function keyTaken(kind: RecordKind, { name, value }: UniqueKey): Problem {
  return problem('key_taken', `Another ${KINDS[kind].noun} has the ${name} ${value} already.`);
}

export const idTaken = (kind: RecordKind, value: string): Problem => keyTaken(kind, { name: 'id', value });

function keyRetired(kind: RecordKind, { name, value }: UniqueKey): Problem {
  const { noun } = KINDS[kind];
  const message = `The ${name} ${value} belonged to a former ${noun} and is never given again: choose another ${name}, or leave it out.`;
  return problem('key_retired', message);
}

export const draftFull = (): Problem =>
  problem(
    'quota_reached',
    `The draft is full: it has at most ${MAX_DRAFT} records and ${MAX_PUBLISHED_BYTES / 1024} KiB of JSON. Publish it first.`,
  );

function addressTaken(network: string): Problem {
  return problem(
    'address_taken',
    `The address ${network} is in use already: calls from it belong to another trunk.`,
  );
}

export function describeRecord<K extends RecordKind>(
  of: Collection<K>,
  record: StoredRecord<RecordData[K]>,
  atMs: number,
  hidden: HiddenPins | null,
): object {
  const shown = withheld(of, of.shown?.(record.data) ?? record.data, hidden);
  const now = of.now?.(record.data, atMs);
  return { id: of.shownId?.(record.id) ?? record.id, ...shown, ...now, ...stamps(record) };
}

/** Members that are not for every role: that there is a PIN is shown, which one is not. `hidden` null: all is shown. */
export function withheld<K extends RecordKind>(
  { pins = [], withoutPins }: Pick<Collection<K>, 'pins' | 'withoutPins'>,
  shown: object,
  hidden: HiddenPins | null,
): object {
  if (!hidden) return shown;
  if (withoutPins) return withoutPins(shown, hidden.pins);
  if (pins.length === 0) return shown;
  const hide = ([name, value]: [string, unknown]): [string, unknown] =>
    pins.includes(name) && value !== null ? [name, WITHHELD] : [name, value];
  return Object.fromEntries(Object.entries(shown).map(hide));
}

/** What who asks may not see of records of this kind; null: they may see all. */
export async function hiddenIn<K extends RecordKind>(
  { pins, withoutPins }: Collection<K>,
  request: ApiRequest,
  context: ApiContext,
): Promise<HiddenPins | null> {
  return pins || withoutPins ? hiddenFrom(request, context) : null;
}

/** What the response to a creation says, and how the path names the record. */
export function describeCreated<K extends RecordKind>(
  of: Collection<K>,
  id: string,
  data: RecordData[K],
): { message: string; key: string; members: object } {
  if (of.created) return of.created(id, data);
  const members = of.hidesNewId ? {} : { id: of.shownId?.(id) ?? id };
  return { message: `${atHead(of.kind)} created`, key: id, members };
}

export async function completed<K extends RecordKind>(
  of: Collection<K>,
  data: RecordData[K],
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<Completed<RecordData[K]>> {
  return of.complete ? of.complete(data, request, context, id) : { data, version: null };
}

/** The record that the path names; `again`: as it is now, not as it was when the request arrived. */
export async function find<K extends RecordKind>(
  of: Collection<K>,
  request: ApiRequest,
  context: ApiContext,
  again = false,
): Promise<StoredRecord<RecordData[K]> | undefined> {
  if (of.find) return of.find(request, context, again);
  const row = await context.storage.getRecord(addressOf(of.kind, request));
  return row ? readRow(of.kind, row) : undefined;
}

async function shownRecord<K extends RecordKind>(
  of: Collection<K>,
  record: StoredRecord<RecordData[K]>,
  request: ApiRequest,
  context: ApiContext,
): Promise<object> {
  const warnings = of.showsWarnings
    ? { warnings: await of.warnings(record.data, request, context, record.id) }
    : {};
  const described = of.describe
    ? await of.describe(record, request)
    : describeRecord(of, record, request.nowMs, await hiddenIn(of, request, context));
  return { ...described, ...warnings };
}

/** For Prefer: return=representation. What is shown once, such as a new secret, comes with the record; its ETag is that of a GET. */
export async function representation<K extends RecordKind>(
  of: Collection<K>,
  record: StoredRecord<RecordData[K]>,
  status: 200 | 201,
  request: ApiRequest,
  context: ApiContext,
): Promise<(more?: object) => ApiResponse> {
  const shown = await shownRecord(of, record, request, context);
  const bytes = JSON.stringify(shown);
  const location = `${KINDS[of.kind].path}/${describeCreated(of, record.id, record.data).key}`;
  const headers = { location, etag: etagOf(record.version, bytes), ...APPLIED };
  return (more) => ({ status, headers, bytes: more ? JSON.stringify({ ...shown, ...more }) : bytes });
}

export function reading<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const record = await find(of, request, context);
    if (!record) return unknownRecord(of.kind, of.key);
    return recordResponse(request, record.version, await shownRecord(of, record, request, context));
  };
}

export function replacing<K extends RecordKind>(of: Collection<K>): Handler {
  return async (request, context) => {
    const adapted = (await of.adapt?.(request, context)) ?? null;
    const sent = adapted ? { ...request, body: { ...request.body, value: adapted.value } } : request;
    const checked = await readChecked(of, sent, context, request.params['id'] ?? '');
    if (isProblem(checked)) return checked;
    const warnings = [...checked.warnings, ...(adapted ? [adapted.warning] : [])];
    const message = (version: number) =>
      inWords(`${atHead(of.kind)} updated to version ${version}`, warnings);
    return replace(of, sent, context, checked.data, message);
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
    const json = JSON.stringify(stored);
    const full = await context.quotas.refuseBytes(request.account, json);
    if (full) return full;
    const result = await context.storage.updateRecord({
      ...address,
      ...(version === null ? {} : { expectedVersion: version }),
      ...expected,
      ...uniqueKeys(of.kind, address.id, data),
      atMs: request.nowMs,
      json,
    });
    // Another request changed what this change keeps; without If-Match it is made again.
    const again = result.outcome === 'version_changed' && expected.expectedVersion === undefined;
    if (again && attempt < MAX_ATTEMPTS) continue;
    if (result.outcome !== 'updated') return refusalOf(of.kind, result, of.key);
    const row = wantsRecord(request) ? await context.storage.getRecord(address) : null;
    if (row) return (await representation(of, readRow(of.kind, row), 200, request, context))();
    return done(200, message(result.version), { headers: { etag: etagOf(result.version) } });
  }
}

export interface Change<Data> {
  readonly data: Data;
  readonly message: string;
  readonly members?: object;
  /** Also where the response is the record: a new secret, which is not in it. */
  readonly shownOnce?: object;
}

/** Reads, changes and stores; again when another request came between, unless If-Match names a version. */
export async function change<K extends RecordKind>(
  of: Collection<K>,
  request: ApiRequest,
  context: ApiContext,
  make: (record: StoredRecord<RecordData[K]>) => Change<RecordData[K]>,
): Promise<ApiResponse | Problem> {
  const expected = expecting(request);
  if (isProblem(expected)) return expected;
  for (let attempt = 1; ; attempt++) {
    const record = await find(of, request, context, attempt > 1);
    if (!record) return unknownRecord(of.kind, of.key);
    const { data, message, members, shownOnce } = make(record);
    const json = JSON.stringify(data);
    const full = await context.quotas.refuseBytes(request.account, json);
    if (full) return full;
    const result = await context.storage.updateRecord({
      ...addressOf(of.kind, request, record.id),
      expectedVersion: record.version,
      ...expected,
      ...uniqueKeys(of.kind, record.id, data),
      atMs: request.nowMs,
      json,
    });
    const again = result.outcome === 'version_changed' && expected.expectedVersion === undefined;
    if (again && attempt < MAX_ATTEMPTS) continue;
    if (result.outcome !== 'updated') return refusalOf(of.kind, result, of.key);
    const { version } = result;
    const changed = { ...record, data, version, updatedAtMs: request.nowMs };
    if (wantsRecord(request)) return (await representation(of, changed, 200, request, context))(shownOnce);
    return done(200, message, {
      headers: { etag: etagOf(version) },
      members: { ...members, ...shownOnce },
    });
  }
}

/** Why a record was not written. */
export function refusalOf(
  kind: RecordKind,
  result: Exclude<UpdateResult | CreateResult, { outcome: 'updated' | 'created' }>,
  key?: string,
): Problem {
  switch (result.outcome) {
    case 'version_changed':
      return versionChanged(result.version);
    case 'key_taken':
      return keyTaken(kind, result.key);
    case 'key_retired':
      return keyRetired(kind, result.key);
    case 'draft_full':
      return draftFull();
    case 'network_taken':
      return addressTaken(result.network);
    default:
      return unknownRecord(kind, key);
  }
}

/** A body whose fields are right, with its warnings; or why it is not stored. */
export async function readChecked<K extends RecordKind>(
  of: Collection<K>,
  request: ApiRequest,
  context: ApiContext,
  id: string,
): Promise<{ data: RecordData[K]; warnings: Warning[] } | Problem> {
  const data = of.read(request.body.value);
  return isProblem(data) ? data : checkData(of, data, request, context, id);
}

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
  const refusal =
    refuseIfStrict(request, context, warnings) ?? (await of.refuse?.(data, request, context, id));
  return refusal ?? { data, warnings };
}
