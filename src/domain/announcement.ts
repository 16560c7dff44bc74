// An announcement: a recording or a text that is played to its end, and where the call goes after it.
import { type AnnouncementNode, referenceTo } from '../flow/node.ts';
import { splitReference } from '../kinds/reference.ts';

export interface Announcement {
  readonly name: string;
  /** Null: `text` alone. */
  readonly recording: string | null;
  /** Spoken in place of the recording, which is heard where that fails; a template. Null: the recording. */
  readonly text: string | null;
  readonly destination: string;
}

/** Members that older rows lack. */
export const ANNOUNCEMENT_DEFAULTS = { text: null } as const satisfies Partial<Announcement>;

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
