// The kinds with a list and a form of records/: the group of their words and their icon.
import type { Kind } from '../../data/kinds.ts';
import type { IconName } from '../../kit/icon.tsx';
import type { Key } from '../../words/words.tsx';

export type ListedKind = Exclude<Kind, 'ivr' | 'token'>;

/** Groups that have all the words of a list and a form. */
type Group<K = Key> = K extends `${infer G}.empty.text` ? (`${G}.new` extends Key ? G : never) : never;

// biome-ignore format: a table is read by its columns
export const LISTED: { readonly [K in ListedKind]: { readonly words: Group; readonly icon: IconName } } = {
  agent: { words: 'agents', icon: 'agent' },
  team: { words: 'teams', icon: 'team' },
  department: { words: 'departments', icon: 'department' },
  number: { words: 'numbers', icon: 'number' },
  trunk: { words: 'trunks', icon: 'trunk' },
  recording: { words: 'recordings', icon: 'recording' },
  timegroup: { words: 'hours', icon: 'hours' },
  announcement: { words: 'announcements', icon: 'announcement' },
  voicemail: { words: 'voicemail', icon: 'voicemail' },
  room: { words: 'rooms', icon: 'team' },
  collect: { words: 'collects', icon: 'key' },
  request: { words: 'requests', icon: 'webhook' },
  stream: { words: 'streams', icon: 'listen' },
  switch: { words: 'switches', icon: 'transfer' },
  message: { words: 'messages', icon: 'sms' },
  sip_address: { words: 'sipAddresses', icon: 'trunk' },
  sms_template: { words: 'sms', icon: 'sms' },
  webhook: { words: 'webhooks', icon: 'webhook' },
  blocked_number: { words: 'blocked', icon: 'shield' },
  caller_id_rule: { words: 'callerIds', icon: 'phone' },
  contact: { words: 'contacts', icon: 'agent' },
};
