// What may be sent for conference rooms beside their records, and what is shown of them.
import { text } from '../../kinds/field.ts';
import { object, string, time } from './output.ts';

export const PARTICIPANT_FIELDS = {
  call_id: text({ min: 1, max: 64, description: 'id of the live call of the participant' }),
} as const;

const orNull = { type: ['string', 'null'] };
const boolean = { type: 'boolean' };

export const ROOM_SCHEMAS = {
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
