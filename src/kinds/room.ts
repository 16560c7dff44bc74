// A conference room: a destination in which all callers hear each other.

import { NAME, yesNo } from './common-fields.ts';
import { type DataOf, defineRecord } from './define-kind.ts';
import { type Field, oneOf, optional, pattern, wholeNumber } from './field.ts';
import { KINDS } from './kinds.ts';
import { DESTINATION, recording } from './reference-fields.ts';

/** The largest number of participants in one conference: it is mixed by one thread. */
const MAX_PARTICIPANTS = 200;

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

export const roomRecord = defineRecord(KINDS.room, {
  fields: {
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
    failover_destination: optional(DESTINATION, null),
  },
  means: {
    name: 'The name of the room, as the console and call records show it.',
    pin: 'The PIN that callers enter, 4 to 12 digits. Null: none is asked for.',
    host_pin: 'The PIN that makes a caller the host. Null: the room has no host.',
    pin_recording: 'What asks for the PIN. Null: the built-in prompt.',
    wait_for_host: 'Whether callers hear music until a host is there.',
    music_on_hold: 'What callers hear who wait for the host. Null: the built-in music.',
    end_with_host: 'Whether the conference ends for all when the last host leaves.',
    announce:
      'What announces participants who join or leave: `true` a tone, `false` nothing, `name` a tone and the name that the caller said before joining. `tone` and `none` may be sent for `true` and `false`.',
    max_participants: 'How many callers may be in the room at once, those who wait for the host included.',
    record: 'Whether the conference is recorded, all voices in one channel.',
    failover_destination:
      'Where callers go who are not let in. Null: the call ends, with an apology if it was answered and otherwise as `failed_calls` says.',
    warnings: 'What is likely wrong with the room.',
  },
  example: {
    name: 'Weekly meeting',
    pin: '4711',
    host_pin: '815815',
    wait_for_host: true,
    end_with_host: true,
    max_participants: 12,
  },
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
});

export type Room = DataOf<typeof roomRecord>;
