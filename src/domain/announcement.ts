// An announcement: a recording that is played to its end, and where the call goes after it.
import { type AnnouncementNode, referenceTo } from '../flow/node.ts';
import { splitReference } from './reference.ts';

export interface Announcement {
  readonly name: string;
  readonly recording: string;
  readonly destination: string;
}

export function announcementNode(id: string, announcement: Announcement): AnnouncementNode {
  return {
    kind: 'announcement',
    ref: referenceTo('announcement', id),
    name: announcement.name,
    recording: splitReference(announcement.recording).id,
    next: announcement.destination,
  };
}
