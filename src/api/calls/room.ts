// Who is in a conference room now: listed, muted, removed; and the lock of its door.
import type { RoomChange } from '../../calls/rooms/rooms.ts';
import { readData } from '../../domain/row.ts';
import { readRecord } from '../../kinds/field.ts';
import { isProblem, type Problem, problem } from '../../kinds/problem.ts';
import { audited } from '../account/audit.ts';
import { type ApiContext, type ApiRequest, type ApiResponse, done, type Handler } from '../http/handler.ts';
import { addressOf, unknownRecord } from '../records/collection.ts';
import { PARTICIPANT_FIELDS } from '../schemas/room.ts';
import { callControlOf } from './live-call.ts';

const EMPTY_ROOM = { locked: false, recording: false, participants: [] };

export const getRoomParticipants: Handler = async (request, context) => {
  const row = await context.storage.getRecord(addressOf('room', request));
  if (!row) return unknownRecord('room');
  const view = await context.callControl()?.roomOf({ account: request.account.id, id: row.id });
  return {
    status: 200,
    json: { id: row.id, name: readData('room', row.json).name, ...(view ?? EMPTY_ROOM) },
  };
};

const DONE: Readonly<Record<RoomChange['do'], string>> = {
  lock: 'The room is locked: only hosts may join.',
  unlock: 'The room is open again.',
  mute: 'The participant is muted.',
  unmute: 'The participant is heard again.',
  remove: 'The participant is removed.',
};

async function change(
  request: ApiRequest,
  context: ApiContext,
  asked: RoomChange,
): Promise<ApiResponse | Problem> {
  const control = callControlOf(context);
  if (isProblem(control)) return control;
  const { id } = addressOf('room', request);
  switch (await control.changeRoom({ account: request.account.id, id, ...asked })) {
    case 'done':
      await audited(request, context, asked.do, 'room', id);
      return done(200, DONE[asked.do]);
    case 'participant-unknown':
      return problem('record_unknown', 'No call with this id is in the room.');
    default:
      return problem('room_empty', 'The room is empty.');
  }
}

const locking =
  (what: 'lock' | 'unlock'): Handler =>
  (request, context) =>
    change(request, context, { do: what, call: null });

const changing =
  (what: 'mute' | 'unmute' | 'remove'): Handler =>
  async (request, context) => {
    const fields = readRecord(PARTICIPANT_FIELDS, request.body.value);
    return isProblem(fields) ? fields : change(request, context, { do: what, call: fields.call_id });
  };

export const lockRoom = locking('lock');
export const unlockRoom = locking('unlock');
export const muteParticipant = changing('mute');
export const unmuteParticipant = changing('unmute');
export const removeParticipant = changing('remove');
