// Values of placeholders in paths, for the examples of the document.
import { KINDS, RECORD_KINDS } from '../../kinds/lists.ts';

const KIND_PATHS: ReadonlySet<string> = new Set(
  RECORD_KINDS.map((kind) => KINDS[kind].path.slice('/v1/'.length)),
);

/** A path's placeholders, with values that the demonstration data knows. */
const PARAMETERS: Record<string, string> = {
  id: 'main',
  eid: '100001',
  kind: 'ivr',
  version: '1',
  file: 'docs.js',
  delivery: 'none',
  key: 'default.website-sales',
};
const PARAMETERS_OF: Record<string, string> = {
  ivr: 'main',
  team: '1',
  department: 'support',
  number: '100',
  // The demonstration has none of these.
  trunk: 'provider',
  recording: 'welcome',

  timegroup: 'office-hours',
  announcement: 'recorded',
  voicemail_box: 'support',
  room: 'weekly',
  collect: 'order-number',
  request: 'order-status',
  stream: 'voice-bot',
  switch: 'by-state',
  message: 'directions',
  sip_address: 'head-office',
  blocked_number: 'spam',

  voicemail: 'first-message',

  sms_template: 'hours',
  sms: 'first',

  // The demonstration has none of these.
  webhook: 'help-desk',
  node: 'node-1',

  call: 'first',
  token: 'none',
};

export function parameterExample(path: string, name: string): string | undefined {
  if (name !== 'id') return PARAMETERS[name];
  const [, , first = '', owner = '', own = ''] = path.split('/');
  // The second noun says what belongs to another record, such as a message of an agent.
  const noun = owner.startsWith('{') && owner !== '{id}' ? own : first;
  return PARAMETERS_OF[noun] ?? (KIND_PATHS.has(noun) ? noun.split('_').at(-1) : PARAMETERS[name]);
}
