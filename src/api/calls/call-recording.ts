// Voicemail messages and recorded calls: listed, heard, marked, deleted. The row says where the audio is.
import { Numbering } from '../../domain/numbering.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import type { CallRecordingFilter, CallRecordingRow } from '../../storage/ports/call-recordings.ts';
import { actorOf } from '../account/audit.ts';
import { fileResponse } from '../http/file-response.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { decodeCursor, pageResponse, readQuery } from '../http/page.ts';
import { CALL_RECORDING_QUERY, VOICEMAIL_QUERY } from '../schemas/call-recording.ts';

interface Kind {
  readonly kind: CallRecordingRow['kind'];
  readonly noun: string;
  readonly path: string;
}

const VOICEMAIL: Kind = { kind: 'voicemail', noun: 'voicemail message', path: '/v1/voicemail' };
const CALL: Kind = { kind: 'call', noun: 'call recording', path: '/v1/call/recording' };

function describe(row: CallRecordingRow): object {
  const { path } = row.kind === 'voicemail' ? VOICEMAIL : CALL;
  const shared = {
    id: row.id,
    call_id: row.callId,
    caller: row.caller,
    caller_name: row.callerName,
    dialled: row.dialled,
    started_at: new Date(row.startedAtMs).toISOString(),
    duration_ms: row.durationMs,
    bytes: row.bytes,
    audio: `${path}/${row.id}/audio`,
  };
  if (row.kind === 'call') return { ...shared, agent: row.eid };
  const { box, heardAtMs } = row;
  const heardAt = heardAtMs === null ? null : new Date(heardAtMs).toISOString();
  return { ...shared, box, heard: heardAtMs !== null, heard_at: heardAt };
}

export const listVoicemails: Handler = (request, context) => {
  const query = readQuery(VOICEMAIL_QUERY, request);
  if (isProblem(query)) return query;
  const { box, heard, caller, from, to } = query;
  return pageOfRecordings(request, context, '/v1/voicemails', query, {
    accountId: request.account.id,
    kind: 'voicemail',
    ...(box === null ? {} : { box }),
    ...(heard === null ? {} : { heard: heard === 'true' }),
    ...(caller === null ? {} : { caller: formsOf(caller, request) }),
    ...times(from, to),
  });
};

export const listCallRecordings: Handler = (request, context) => {
  const query = readQuery(CALL_RECORDING_QUERY, request);
  if (isProblem(query)) return query;
  const { call_id: callId, agent: eid, caller, from, to } = query;
  return pageOfRecordings(request, context, '/v1/call/recordings', query, {
    accountId: request.account.id,
    kind: 'call',
    ...(callId === null ? {} : { callId }),
    ...(eid === null ? {} : { eid }),
    ...(caller === null ? {} : { caller: formsOf(caller, request) }),
    ...times(from, to),
  });
};

const formsOf = (number: string, { account }: ApiRequest): readonly string[] =>
  new Numbering(account.settings).forms(number);

const times = (from: number | null, to: number | null): Pick<CallRecordingFilter, 'fromMs' | 'toMs'> => ({
  ...(from === null ? {} : { fromMs: from }),
  ...(to === null ? {} : { toMs: to }),
});

export async function pageOfRecordings(
  request: ApiRequest,
  context: ApiContext,
  path: string,
  { cursor, limit }: { readonly cursor: string; readonly limit: number },
  filter: CallRecordingFilter,
): Promise<ApiResponse | Problem> {
  const place = decodeCursor(cursor);
  if (isProblem(place)) return place;
  const [startedAtMs, id] = place;
  const before =
    typeof startedAtMs === 'number' && Number.isSafeInteger(startedAtMs) && typeof id === 'string'
      ? { before: { startedAtMs, id } }
      : {};
  const rows = await context.storage.listCallRecordings({ ...filter, ...before, limit: limit + 1 });
  const position = (row: CallRecordingRow) => [row.startedAtMs, row.id];
  return pageResponse(request, path, { rows, limit, describe, position });
}

const addressOf = ({ kind }: Kind, request: ApiRequest) => ({
  accountId: request.account.id,
  kind,
  id: request.params['id'] ?? '',
});

const unknown = ({ noun }: Kind): Problem => problem('record_unknown', `There is no ${noun} with this id.`);

function reading(of: Kind): Handler {
  return async (request, context) => {
    const row = await context.storage.getCallRecording(addressOf(of, request));
    return row ? { status: 200, json: describe(row) } : unknown(of);
  };
}

function hearing(of: Kind): Handler {
  return async (request, context) => {
    const row = await context.storage.getCallRecording(addressOf(of, request));
    if (!row) return unknown(of);
    // Once the answer has begun it is too late to say that there is nothing.
    const sound = await context.callRecordings.open(row);
    const gone = row.place === null ? 'is not on this machine any more' : 'is gone';
    if (!sound) return problem('record_unknown', `The sound of this ${of.noun} ${gone}.`);
    return fileResponse(request, {
      length: sound.length,
      contentType: 'audio/wav',
      name: `${row.kind}-${row.id}.wav`,
      etag: `"${row.id}"`,
      read: sound.read,
    });
  };
}

function deleting(of: Kind): Handler {
  return async (request, context) => {
    const row = await context.storage.getCallRecording(addressOf(of, request));
    if (!row) return unknown(of);
    const { left } = await context.callRecordings.remove(row, actorOf(request));
    const sound = left ? 'the node that recorded it removes its sound as soon as it runs' : 'its sound too';
    return done(200, `The ${of.noun} is deleted${left ? '; ' : ', '}${sound}.`);
  };
}

function marking(heard: boolean): Handler {
  return async (request, context) => {
    const heardAtMs = heard ? request.nowMs : null;
    const { found } = await context.storage.markCallRecording({
      ...addressOf(VOICEMAIL, request),
      heardAtMs,
    });
    return found ? done(200, `Marked as ${heard ? 'heard' : 'not heard'}.`) : unknown(VOICEMAIL);
  };
}

export const getVoicemail = reading(VOICEMAIL);
export const getVoicemailAudio = hearing(VOICEMAIL);
export const deleteVoicemail = deleting(VOICEMAIL);
export const markHeard = marking(true);
export const markUnheard = marking(false);
export const getCallRecording = reading(CALL);
export const getCallRecordingAudio = hearing(CALL);
export const deleteCallRecording = deleting(CALL);
