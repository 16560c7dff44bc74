// Conference rooms. Who is in one now is asked of the telephone side: api/calls/room.ts.
import { readKind } from '../../kinds/fields.ts';
import { roomNode } from '../../kinds/nodes.ts';
import { lintAround } from '../calls/lint.ts';
import type { Collection } from './collection.ts';

export const rooms: Collection<'room'> = {
  kind: 'room',
  read: (body) => readKind('room', body),
  pins: ['pin', 'host_pin'],
  warnings: (room, request, context, id) => lintAround(roomNode(id, room), request, context),
  matches: ({ name }, needle) => name.toLowerCase().includes(needle),
};
