// Announcements: a recording or a text that is played to its end, and where the call goes after it.

import { readKind } from '../../kinds/fields.ts';
import { announcementNode } from '../../kinds/nodes.ts';
import { lintAround } from '../calls/lint.ts';
import type { Collection } from './collection.ts';

export const announcements: Collection<'announcement'> = {
  kind: 'announcement',
  read: (body) => readKind('announcement', body),
  warnings: (announcement, request, context, id) =>
    lintAround(announcementNode(id, announcement), request, context),
  matches: ({ name }, needle) => name.toLowerCase().includes(needle),
};
