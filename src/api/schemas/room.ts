// What may be sent for conference rooms.
import { DESTINATION_KINDS } from '../../domain/kinds.ts';
import { MAX_PARTICIPANTS, ROOM_DEFAULTS, type Room } from '../../domain/room.ts';
import { type Field, oneOf, optional, pattern, readFields, text, wholeNumber } from '../../kinds/field.ts';
import { Faults, type Problem } from '../../kinds/problem.ts';
import { destination, recording } from '../../kinds/reference-fields.ts';
import { object, stampedSchema, string, time } from './output.ts';

const pin = pattern(/^[0-9]{4,12}$/, '4 to 12 digits');
const yesNo = (description: string) => oneOf([true, false], description);

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

export const ROOM_FIELDS = {
  name: text({ min: 1, max: 100 }),
  pin: optional(pin, ROOM_DEFAULTS.pin),
  host_pin: optional(pin, ROOM_DEFAULTS.host_pin),
  pin_recording: optional(recording(), ROOM_DEFAULTS.pin_recording),
  wait_for_host: optional(
    yesNo('whether callers hear music until a host is there'),
    ROOM_DEFAULTS.wait_for_host,
  ),
  music_on_hold: optional(recording(), ROOM_DEFAULTS.music_on_hold),
  end_with_host: optional(
    yesNo('whether the conference ends when the last host leaves'),
    ROOM_DEFAULTS.end_with_host,
  ),
  announce: optional(announce, ROOM_DEFAULTS.announce),
  max_participants: optional(
    wholeNumber(2, MAX_PARTICIPANTS, 'participants'),
    ROOM_DEFAULTS.max_participants,
  ),
  record: optional(yesNo('whether the conference is recorded'), ROOM_DEFAULTS.record),
  failover_destination: optional(destination(DESTINATION_KINDS), ROOM_DEFAULTS.failover_destination),
} as const;

export function readRoom(body: { readonly [name: string]: unknown }): Room | Problem {
  const faults = new Faults();
  const room = readFields(ROOM_FIELDS, body, faults);
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
  return faults.list.length > 0 ? faults.toProblem() : room;
}

export const PARTICIPANT_FIELDS = {
  call_id: text({ min: 1, max: 64, description: 'id of the live call of the participant' }),
} as const;

const orNull = { type: ['string', 'null'] };
const boolean = { type: 'boolean' };

export const ROOM_SCHEMAS = {
  Room: stampedSchema(ROOM_FIELDS),
  RoomParticipants: object({
    id: string,
    name: string,
    locked: boolean,
    recording: boolean,
    participants: {
      type: 'array',
      items: object({
        call_id: string,
        caller: orNull,
        caller_name: string,
        agent: orNull,
        host: boolean,
        muted: boolean,
        waiting: boolean,
        joined_at: time,
      }),
    },
  }),
};
