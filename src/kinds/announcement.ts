// An announcement: a recording or a text that is played to its end, and where the call goes after it.
import { type AnnouncementNode, referenceTo } from '../flow/node.ts';
import { NAME } from './common-fields.ts';
import { type DataOf, defineKind } from './define-kind.ts';
import { optional } from './field.ts';
import { splitReference } from './reference.ts';
import { recording } from './reference-fields.ts';
import { checkWords, SPOKEN_TEXT } from './spoken-text.ts';

export const announcement = defineKind({
  kind: 'announcement',
  noun: 'announcement',
  nouns: 'announcements',
  word: 'announcement',
  directory: 'announcements',
  exported: 'announcements',
  key: 'name',
  versioned: false,
  drafted: true,
  tested: true,
  assistants: true,
  schema: 'Announcement',
  plural: 'Announcements',
  path: '/v1/announcement',
  listPath: '/v1/announcements',
  see: 'look',
  change: 'edit',
  sealed: null,
  fields: (to) => ({
    name: NAME,
    recording: optional(recording(), null),
    text: SPOKEN_TEXT,
    destination: to,
  }),
  check: (announcement, faults) => checkWords(announcement, faults),
  node: (id, announcement): AnnouncementNode => announcementNode(id, announcement),
});

export type Announcement = DataOf<typeof announcement>;

export function announcementNode(id: string, announcement: Announcement): AnnouncementNode {
  return {
    kind: 'announcement',
    ref: referenceTo('announcement', id),
    name: announcement.name,
    recording: announcement.recording === null ? null : splitReference(announcement.recording).id,
    ...(announcement.text === null ? {} : { text: announcement.text }),
    next: announcement.destination,
  };
}
