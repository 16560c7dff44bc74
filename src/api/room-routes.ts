// The rows of conference rooms in the table of routes.ts.
import * as room from './calls/room.ts';
import { responses } from './responses.ts';
import { collection, type Route } from './route.ts';
import { EXAMPLES } from './schemas/examples.ts';
import { PARTICIPANT_FIELDS } from './schemas/room.ts';

const { record, written } = responses;

// biome-ignore format: a table is read by its columns
export const ROOM_ROUTES: readonly Route[] = [
  ...collection('room'),
  { method: 'GET', path: '/v1/room/{id}/participants', scope: 'read', id: 'getRoomParticipants',
    summary: 'Who is in a conference room now',
    handler: room.getRoomParticipants, responses: [record('RoomParticipants')] },
  { method: 'POST', path: '/v1/room/{id}/lock', scope: 'calls', id: 'lockRoom', summary: 'Lock a conference room: only hosts may join',
    handler: room.lockRoom, responses: [written()] },
  { method: 'POST', path: '/v1/room/{id}/unlock', scope: 'calls', id: 'unlockRoom', summary: 'Let callers into a conference room again',
    handler: room.unlockRoom, responses: [written()] },
  { method: 'POST', path: '/v1/room/{id}/mute', scope: 'calls', id: 'muteParticipant', summary: 'Mute a participant of a conference',
    handler: room.muteParticipant, body: PARTICIPANT_FIELDS, example: EXAMPLES.participant, responses: [written()] },
  { method: 'POST', path: '/v1/room/{id}/unmute', scope: 'calls', id: 'unmuteParticipant', summary: 'Let a muted participant be heard again',
    handler: room.unmuteParticipant, body: PARTICIPANT_FIELDS, example: EXAMPLES.participant, responses: [written()] },
  { method: 'POST', path: '/v1/room/{id}/remove', scope: 'calls', id: 'removeParticipant', summary: 'Remove a participant from a conference',
    handler: room.removeParticipant, body: PARTICIPANT_FIELDS, example: EXAMPLES.participant, responses: [written()] },
];
