// Recordings: what callers hear. A file, an address or a text becomes a sound; how is behind recordings/recordings.ts.

import { newId } from '../../domain/id.ts';
import { flawsOf, soundBytes } from '../../domain/recording.ts';
import { readData } from '../../domain/row.ts';
import { inputSchema, optional, type RecordOf, readFields, readRecord } from '../../kinds/field.ts';
import { DEFAULTS } from '../../kinds/fields.ts';
import { noteUnknown, shapeOf } from '../../kinds/known-names.ts';
import { Faults, isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { Recording, SoundFacts } from '../../kinds/recording.ts';
import { splitReference } from '../../kinds/reference.ts';
import { CHOSEN_ID } from '../../kinds/reference-fields.ts';
import type { StoredRow } from '../../storage/ports/records.ts';
import { fileResponse } from '../http/file-response.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { once } from '../http/idempotency.ts';
import { readQuery } from '../http/page.ts';
import { wantsRecord } from '../http/prefer.ts';
import { expecting, recordResponse, versionChanged } from '../http/version.ts';
import { AUDIO_QUERY, RECORDING_FIELDS, RECORDING_QUERY, WAVEFORM_QUERY } from '../schemas/recording.ts';
import { addressOf, type Collection, change, find, idTaken, unknownRecord } from './collection.ts';
import { newRepresentation, readChosenId } from './creation.ts';
import { deleting } from './deletion.ts';
import { type JsonObject, mergePatch } from './merge-patch.ts';
import { inWords, type Warning } from './warnings.ts';

export const recordings: Collection<'recording'> = {
  kind: 'recording',
  // createRecording and putRecording read for themselves.
  read: () => problem('internal_error', 'Recordings are not read like this.'),
  warnings: async (recording) => warningsOf(recording),
  showsWarnings: true,
  shown,
  matches: ({ name, description, text }, needle) =>
    [name, description, text ?? ''].some((each) => each.toLowerCase().includes(needle)),
};

function shown(recording: Recording): object {
  const { name, description, source, url, text, voice, speed, sha256 } = recording;
  return { name, description, source, url, text, voice, speed, sha256, ...measured(recording) };
}

function measured(recording: Recording): object {
  const { duration_ms, format, peak_db, gain_db, clipped_samples } = recording;
  const { leading_silence_ms, trailing_silence_ms, damaged } = recording;
  const level = { format, peak_db, gain_db, clipped_samples };
  return { duration_ms, ...level, leading_silence_ms, trailing_silence_ms, damaged };
}

const warningsOf = (recording: Recording): Warning[] =>
  flawsOf(recording).map(({ code, message }) => ({ pointer: '', code, message }));

interface Given {
  readonly body: ApiRequest['body'];
  readonly file: { readonly path: string; readonly name: string } | null;
}
type Fields = RecordOf<typeof RECORDING_FIELDS>;

async function withGiven(
  request: ApiRequest,
  context: ApiContext,
  work: (given: Given) => Promise<ApiResponse | Problem>,
): Promise<ApiResponse | Problem> {
  const { upload } = request.body;
  if (!upload) return withQuery(request, { body: request.body, file: null }, work);
  const received = await context.recordings.receive(request.account.id, upload);
  if (isProblem(received)) return received;
  try {
    const unknown = refuseUnknownFields(received.fields);
    if (unknown) return unknown;
    // The same form has another boundary each time; what is in it is what counts.
    const body = { value: received.fields, bytes: Buffer.from(received.digest) };
    return await withQuery(request, { body, file: received.file }, work);
  } finally {
    await received.remove();
  }
}

/** A body that is the file itself has its name and description in the query; others may have them there. */
async function withQuery(
  request: ApiRequest,
  given: Given,
  work: (given: Given) => Promise<ApiResponse | Problem>,
): Promise<ApiResponse | Problem> {
  const query = readQuery(RECORDING_QUERY, request);
  if (isProblem(query)) return query;
  const named = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
  const names = Object.keys(named);
  if (names.length === 0) return work(given);
  const twice = names.find((name) => name in given.body.value);
  if (twice) {
    const faults = new Faults();
    faults.add(`/${twice}`, 'value_not_allowed', `Send ${twice} in the body or in the query, not in both.`);
    return faults.toProblem();
  }
  const { value, bytes } = given.body;
  const body = {
    value: { ...value, ...named },
    bytes: Buffer.concat([Buffer.from(JSON.stringify(named)), bytes]),
  };
  return work({ ...given, body });
}

const FORM = shapeOf(inputSchema({ id: optional(CHOSEN_ID, null), ...RECORDING_FIELDS }));

/** The fields of a form are known when it has arrived; members of JSON are checked before the handler. */
function refuseUnknownFields(fields: ApiRequest['body']['value']): Problem | null {
  const faults = new Faults();
  if (FORM) noteUnknown(FORM, fields, faults);
  if (faults.list.length === 0) return null;
  readFields(RECORDING_FIELDS, fields, faults);
  return faults.toProblem();
}

/** The fields, with no more than one source of sound among them. */
function readGiven({ body, file }: Given, soundNeeded: boolean): Fields | Problem {
  const fields = readRecord(RECORDING_FIELDS, body.value);
  if (isProblem(fields)) return fields;
  const faults = new Faults();
  const { url, text, copy_of: copied } = fields;
  const sources = [file, url, text, copied].filter((source) => source !== null).length;
  if (sources > 1)
    faults.add(
      copied !== null ? '/copy_of' : text === null ? '/url' : '/text',
      'value_not_allowed',
      'Send one of file, url, text and copy_of, not several.',
    );
  if (sources === 0 && soundNeeded)
    faults.add('/file', 'field_missing', 'A file, a url or a text is missing.');
  if (copied !== null && fields.name === null) faults.add('/name', 'field_missing', 'name is missing.');
  return faults.list.length > 0 ? faults.toProblem() : fields;
}

/** The sound, and of its origin what differs from the defaults. Copies of old recordings have facts that were not measured. */
type Sound = Partial<Pick<Recording, 'source' | 'url' | 'text' | 'voice' | 'speed'>> &
  Pick<Recording, keyof SoundFacts>;

/** Null if no sound was sent. */
async function soundOf(
  request: ApiRequest,
  given: Given,
  fields: Fields,
  context: ApiContext,
): Promise<Sound | Problem | null> {
  const { quotas } = context;
  const { url, text, copy_of: copied } = fields;
  if (given.file === null && url === null && text === null && copied === null) return null;
  // Before the work of a conversion, and again when the size is known. A file that is refused then is swept away later.
  const refusal = await quotas.refuseSound(request.account, 0);
  if (refusal) return refusal;
  const made = await convertedSound(request, given, fields, context);
  if (made === null || isProblem(made)) return made;
  return (await quotas.refuseSound(request.account, soundBytes(made.duration_ms))) ?? made;
}

async function convertedSound(
  request: ApiRequest,
  { file }: Given,
  fields: Fields,
  context: ApiContext,
): Promise<Sound | Problem | null> {
  const { account } = request;
  const { recordings: port } = context;
  const { url, text, voice, speed, copy_of: copied } = fields;
  if (file) return sound(await port.fromFile(account.id, file.path), { source: 'file' });
  if (url !== null) return sound(await port.fromUrl(account.id, url), { source: 'url', url });
  if (text !== null)
    return sound(await port.fromText(account.id, { text, voice, speed }), {
      source: 'text',
      text,
      voice,
      speed,
    });
  return copied === null ? null : copiedSound(copied, request, context);
}

/** Files are named by their content: the copy names the same one, which is kept until neither of the two needs it. */
async function copiedSound(
  reference: string,
  request: ApiRequest,
  { storage }: ApiContext,
): Promise<Sound | Problem> {
  const { id } = splitReference(reference);
  const row = await storage.getRecord(addressOf('recording', request, id));
  if (row) {
    const { name: _, description: _d, ...copied } = readData('recording', row.json);
    return copied;
  }
  const faults = new Faults();
  faults.add('/copy_of', 'reference_unknown', `Recording ${id} does not exist.`);
  return faults.toProblem();
}

function sound(facts: SoundFacts | Problem, origin: Omit<Sound, keyof SoundFacts>): Sound | Problem {
  return isProblem(facts) ? facts : { ...origin, ...facts };
}

const MAX_NAME = 100;

/** Where no name is sent: that of the file, or the spoken text. */
function nameOf({ file }: Given, { url, text }: Fields): string {
  const path = file?.name ?? (url === null ? '' : new URL(url).pathname);
  const last = path.split(/[/\\]/).at(-1) ?? '';
  const dot = last.lastIndexOf('.');
  const words = text ?? (dot > 0 ? last.slice(0, dot) : last);
  const clean = words
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .toWellFormed()
    .trim();
  return [...clean].slice(0, MAX_NAME).join('').trim() || 'Recording';
}

export const createRecording: Handler = (request, context) =>
  withGiven(request, context, (given) =>
    once('POST /v1/recording', { ...request, body: given.body }, context, async (claim) => {
      const chosen = readChosenId(recordings, given.body.value);
      if (isProblem(chosen)) return chosen;
      const fields = readGiven(given, true);
      if (isProblem(fields)) return fields;
      const id = chosen.id ?? newId(request.nowMs);
      const address = addressOf('recording', request, id);
      // Known before the work of a conversion; it is looked at again when the record is written.
      if (chosen.id !== null && (await context.storage.getRecord(address))) return idTaken('recording', id);
      const refusal = await context.quotas.refuseRecord(request.account);
      if (refusal) return refusal;
      const made = await soundOf(request, given, fields, context);
      if (made === null) throw new Error('A recording without sound has passed its check.');
      if (isProblem(made)) return made;
      const name = fields.name ?? nameOf(given, fields);
      const description = fields.description ?? DEFAULTS.recording.description;
      const recording: Recording = { ...DEFAULTS.recording, name, description, ...made };
      const response = await createdResponse(id, recording, request, context);
      const idempotency = claim(response);
      const result = await context.storage.createRecord({
        ...address,
        atMs: request.nowMs,
        json: JSON.stringify(recording),
        ...(chosen.id === null ? {} : { isChosen: true }),
        ...(idempotency ? { idempotency } : {}),
      });
      return result.outcome === 'key_taken' ? idTaken('recording', id) : { result, response };
    }),
  );

async function createdResponse(
  id: string,
  recording: Recording,
  request: ApiRequest,
  context: ApiContext,
): Promise<ApiResponse> {
  if (wantsRecord(request)) return (await newRepresentation(recordings, id, recording, request, context))();
  const warnings = warningsOf(recording);
  return done(201, inWords('Recording created', warnings), {
    headers: { location: `/v1/recording/${id}` },
    members: { id, ...measured(recording), warnings },
  });
}

/** Replaces everything but the sound, which stays unless another is sent: a file that was uploaded cannot be read back and sent. */
export const putRecording: Handler = (request, context) =>
  withGiven(request, context, (given) => write(given, false, request, context));

/** Changes what is sent, as a merge patch or as a form with a file: a new sound keeps the name, a new name keeps the sound. */
export const patchRecording: Handler = (request, context) =>
  withGiven(request, context, (given) => write(given, true, request, context));

/** A new file, URL or text takes the place of what the sound was made of. */
function patchable(stored: Recording, { body, file }: Given): object {
  const { name, description, url, text, voice, speed, sha256 } = stored;
  const isNew =
    file !== null || ['url', 'text', 'copy_of'].some((member) => typeof body.value[member] === 'string');
  return { name, description, voice, speed, ...(isNew ? {} : { url, text, sha256 }) };
}

const ORIGIN = ['url', 'text', 'voice', 'speed'] as const;

/** The first member of the sound's origin that differs from what is stored. The body was read before. */
function changedOrigin(stored: Recording, value: JsonObject): string | undefined {
  return ORIGIN.find((member) => (value[member] ?? null) !== stored[member]);
}

async function write(
  sent: Given,
  isPatch: boolean,
  request: ApiRequest,
  context: ApiContext,
): Promise<ApiResponse | Problem> {
  const expected = expecting(request);
  if (isProblem(expected)) return expected;
  const record = await find(recordings, request, context);
  if (!record) return unknownRecord('recording');
  // Known before the work of a conversion; it is looked at again when the record is written.
  if (expected.expectedVersion !== undefined && expected.expectedVersion !== record.version)
    return versionChanged(record.version);
  const value = isPatch ? mergePatch(patchable(record.data, sent), sent.body.value) : sent.body.value;
  const differs = changedOrigin(record.data, value);
  const isKept = sent.file === null && (value['copy_of'] ?? null) === null;
  const isSame = isKept && value['sha256'] === record.data.sha256 && differs === undefined;
  const given = { file: sent.file, body: { ...sent.body, value } };
  const fields = readGiven(given, false);
  if (isProblem(fields)) return fields;
  const made = isSame ? null : await soundOf(request, given, fields, context);
  if (made !== null && isProblem(made)) return made;
  const fault = made === null ? faultWithoutSound(fields, isPatch && !isSame ? differs : undefined) : null;
  if (fault) return fault;
  const name = fields.name ?? nameOf(given, fields);
  const description = fields.description ?? DEFAULTS.recording.description;
  const isSent = (member: string): boolean => !isPatch || sent.body.value[member] !== undefined;
  return change(recordings, request, context, ({ data, version }) => {
    const recording: Recording = {
      ...(made === null ? data : { ...DEFAULTS.recording, ...made }),
      name: isSent('name') ? name : data.name,
      description: isSent('description') ? description : data.description,
    };
    const warnings = warningsOf(recording);
    return {
      data: recording,
      message: inWords(`Recording updated to version ${version + 1}`, warnings),
      members: { ...measured(recording), warnings },
    };
  });
}

/** The name can be made from a new sound alone, and the origin cannot change without one. */
function faultWithoutSound({ name }: Fields, origin: string | undefined): Problem | null {
  const faults = new Faults();
  if (name === null) faults.add('/name', 'field_missing', 'name is missing.');
  if (origin !== undefined) {
    const message = `${origin} says how the sound was made: send a file, a url or a text for another sound.`;
    faults.add(`/${origin}`, 'value_not_allowed', message);
  }
  return faults.list.length > 0 ? faults.toProblem() : null;
}

const deleteRecord = deleting(recordings);

export const deleteRecording: Handler = async (request, context) => {
  const response = await deleteRecord(request, context);
  if (!isProblem(response)) context.recordings.released();
  return response;
};

const SOUND_MISSING = problem('record_unknown', 'The sound of this recording is not on this machine.');

export const getRecordingAudio: Handler = async (request, context) => {
  const query = readQuery(AUDIO_QUERY, request);
  if (isProblem(query)) return query;
  const address = addressOf('recording', request);
  const row: StoredRow | null =
    query.version === null
      ? await context.storage.getRecord(address)
      : await context.storage.getVersion({ ...address, version: query.version });
  if (!row) return unknownRecord('recording');
  const { sha256 } = readData('recording', row.json);
  const file = await context.recordings.open(sha256);
  if (!file) return SOUND_MISSING;
  const etag = `"${sha256.slice(0, 32)}"`;
  const named = { contentType: 'audio/wav', name: `recording-${sha256.slice(0, 8)}.wav`, etag };
  return fileResponse(request, { ...named, length: file.length, read: file.read });
};

export const getRecordingWaveform: Handler = async (request, context) => {
  const query = readQuery(WAVEFORM_QUERY, request);
  if (isProblem(query)) return query;
  const row = await context.storage.getRecord(addressOf('recording', request));
  if (!row) return unknownRecord('recording');
  const { sha256, duration_ms } = readData('recording', row.json);
  const peaks = await context.recordings.peaks(request.account.id, sha256, query.points);
  return peaks ? recordResponse(request, row.version, { duration_ms, peaks }) : SOUND_MISSING;
};
