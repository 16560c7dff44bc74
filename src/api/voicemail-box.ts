// Voicemail boxes: where callers leave messages.
import { newId } from '../domain/id.ts';
import { type VoicemailBox, voicemailNode } from '../domain/voicemail-box.ts';
import { type Collection, creating, deleting, listing, reading, replacing } from './collection.ts';
import { lintAround } from './lint.ts';
import { readRecord } from './schemas/field.ts';
import { VOICEMAIL_BOX_FIELDS } from './schemas/voicemail-box.ts';

const boxes: Collection<VoicemailBox> = {
  kind: 'voicemail',
  noun: 'voicemail box',
  path: '/v1/voicemail_box',
  listPath: '/v1/voicemail_boxes',
  read: (body) => readRecord(VOICEMAIL_BOX_FIELDS, body),
  makeId: (ask) => newId(ask.nowMs),
  warnings: (box, ask, app, id) => lintAround(voicemailNode(id, box), ask, app),
  answersId: true,
  matches: ({ name, email }, needle) =>
    name.toLowerCase().includes(needle) || (email ?? '').toLowerCase().includes(needle),
};

export const createVoicemailBox = creating(boxes);
export const getVoicemailBox = reading(boxes);
export const listVoicemailBoxes = listing(boxes);
export const putVoicemailBox = replacing(boxes);
export const deleteVoicemailBox = deleting(boxes);
