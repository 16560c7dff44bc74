// A conference room: a destination in which all callers hear each other.
import { type RoomNode, referenceTo } from '../flow/node.ts';
import { NAME, yesNo } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { type Field, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { splitReference } from './reference.ts';
import { recording } from './reference-fields.ts';

/** Of one conference: it is mixed by one thread. */
export const MAX_PARTICIPANTS = 200;

const pin = pattern(/^[0-9]{4,12}$/, '4 to 12 digits');
const shownAnnounce = oneOf(
  [true, false, 'name'],
  'what announces callers who come and go: true a tone, false nothing, name a tone and the name that they said',
);
/** `tone` and `none` are other words for true and false, which are stored and shown. */
const announce: Field<boolean | 'name'> = {
  ...shownAnnounce,
  input: { ...shownAnnounce.input, enum: [true, false, 'tone', 'name', 'none'] },
  read(value, at, faults) {
    if (value === 'tone' || value === 'none') return value === 'tone';
    return shownAnnounce.read(value, at, faults);
  },
};

export const room = defineKind({
  kind: 'room',
  noun: 'conference room',
  nouns: 'conference rooms',
  word: 'room',
  directory: 'rooms',
  exported: 'rooms',
  key: 'name',
  versioned: false,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Room',
  plural: 'Rooms',
  path: '/v1/room',
  listPath: '/v1/rooms',
  see: 'look',
  change: 'edit',
  sealed: null,
  fields: (to) => ({
    name: NAME,
    pin: optional(pin, null),
    host_pin: optional(pin, null),
    pin_recording: optional(recording(), null),
    wait_for_host: optional(yesNo('whether callers hear music until a host is there'), false),
    music_on_hold: optional(recording(), null),
    end_with_host: optional(yesNo('whether the conference ends when the last host leaves'), false),
    announce: optional(announce, true),
    max_participants: optional(wholeNumber(2, MAX_PARTICIPANTS, 'participants'), 20),
    record: optional(yesNo('whether the conference is recorded'), false),
    failover_destination: optional(to, null),
  }),
  check(room, faults) {
    if (room.pin != null && room.pin === room.host_pin)
      faults.add(
        '/host_pin',
        'value_not_allowed',
        'host_pin must differ from pin: it tells hosts from others.',
      );
    for (const name of ['wait_for_host', 'end_with_host'] as const)
      if (room[name] === true && room.host_pin === null)
        faults.add(
          `/${name}`,
          'value_not_allowed',
          `${name} needs a host_pin: without one the room has no host.`,
        );
  },
  node: (id, room): RoomNode => roomNode(id, room),
});

export type Room = DataOf<typeof room>;

export function roomNode(id: string, room: Room): RoomNode {
  const recordingId = (reference: string | null): string | null =>
    reference === null ? null : splitReference(reference).id;
  return {
    kind: 'room',
    ref: referenceTo('room', id),
    name: room.name,
    pin: room.pin,
    hostPin: room.host_pin,
    pinRecording: recordingId(room.pin_recording),
    waitForHost: room.wait_for_host,
    music: recordingId(room.music_on_hold),
    endWithHost: room.end_with_host,
    announce: room.announce,
    maxParticipants: room.max_participants,
    record: room.record,
    failover: room.failover_destination,
  };
}
