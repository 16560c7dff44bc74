// Announcements: a recording or a text that is played to its end, and where the call goes after it.
import { announcementNode } from '../../domain/announcement.ts';
import { lintAround } from '../calls/lint.ts';
import { readAnnouncement } from '../schemas/announcement.ts';
import type { Collection } from './collection.ts';

export const announcements: Collection<'announcement'> = {
  kind: 'announcement',
  read: readAnnouncement,
  warnings: (announcement, request, context, id) =>
    lintAround(announcementNode(id, announcement), request, context),
  matches: ({ name }, needle) => name.toLowerCase().includes(needle),
};
