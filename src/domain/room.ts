// A conference room: a destination in which all callers hear each other.
import { type RoomNode, referenceTo } from '../flow/node.ts';
import { splitReference } from '../kinds/reference.ts';

/** Of one conference: it is mixed by one thread. */
export const MAX_PARTICIPANTS = 200;

export interface Room {
  readonly name: string;
  /** Digits, as they stand in an invitation: readable, since operators hand them out. Null: none is asked for. */
  readonly pin: string | null;
  /** Makes its caller a host. Null: there is none. */
  readonly host_pin: string | null;
  /** Asks for the PIN; null: the built-in prompt. */
  readonly pin_recording: string | null;
  /** Whether callers hear music until a host is there. */
  readonly wait_for_host: boolean;
  /** Null: the built-in music. */
  readonly music_on_hold: string | null;
  /** Whether the conference ends when the last host leaves. */
  readonly end_with_host: boolean;
  /** True: a tone announces callers who join or leave. 'name': and the name that each caller says before. */
  readonly announce: boolean | 'name';
  readonly max_participants: number;
  readonly record: boolean;
  /** For callers who are not let in; null: the call ends. */
  readonly failover_destination: string | null;
}

export const ROOM_DEFAULTS = {
  pin: null,
  host_pin: null,
  pin_recording: null,
  wait_for_host: false,
  music_on_hold: null,
  end_with_host: false,
  announce: true,
  max_participants: 20,
  record: false,
  failover_destination: null,
} as const satisfies Partial<Room>;

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
