// What a trunk's editor changes, and what it sends of it.
import type { TrunkWithWarnings } from '../../../../client/operations.ts';
import { SRTP_MODES } from '../../../../src/kinds/trunk-choices.ts';
import { type DraftOf, orNull, type RecordForm } from '../records/record-form.ts';
import { FROM_USERS, IDENTITY_HEADERS, NUMBER_FORMATS, TRANSPORTS } from './choices.ts';
import { linesOf, type PrefixRule } from './rules.ts';

const NO_RULES: readonly PrefixRule[] = [];
export const FRESH = {
  name: '',
  host: '',
  port: 0,
  transport: 'udp',
  srtp: 'offered',
  enabled: true,
  outbound_proxy: '',
  backup_hosts: '',
  keepalive_seconds: 0,
  from_domain: '',
  from_user: 'caller_id',
  identity_header: 'none',
  username: '',
  auth_username: '',
  password: '',
  forget: false,
  register: false,
  inbound_by_registration: false,
  addresses: '',
  inbound_format: 'as_is',
  inbound_numbers: '',
  outbound_prefixes: NO_RULES,
  outbound_format: 'as_is',
  agents_may_call: false,
  caller_id: '',
  max_calls: 10,
};
export type TrunkDraft = DraftOf<typeof FRESH>;

export const draftOf = (trunk: TrunkWithWarnings): TrunkDraft => ({
  name: trunk.name,
  host: trunk.host,
  port: trunk.port,
  transport: trunk.transport,
  srtp: trunk.srtp,
  enabled: trunk.enabled,
  outbound_proxy: trunk.outbound_proxy ?? '',
  backup_hosts: trunk.backup_hosts.join('\n'),
  keepalive_seconds: trunk.keepalive_seconds,
  from_domain: trunk.from_domain ?? '',
  from_user: trunk.from_user,
  identity_header: trunk.identity_header,
  username: trunk.username ?? '',
  auth_username: trunk.auth_username ?? '',
  password: '',
  forget: false,
  register: trunk.register,
  inbound_by_registration: trunk.inbound_by_registration,
  addresses: (trunk.addresses ?? []).join('\n'),
  inbound_format: trunk.inbound_format,
  inbound_numbers: trunk.inbound_numbers.join('\n'),
  outbound_prefixes: trunk.outbound_prefixes,
  outbound_format: trunk.outbound_format,
  agents_may_call: trunk.agents_may_call,
  caller_id: trunk.caller_id ?? '',
  max_calls: trunk.max_calls,
});

export function bodyOf({ password, forget, ...draft }: TrunkDraft) {
  const addresses = linesOf(draft.addresses);
  return {
    ...draft,
    transport: TRANSPORTS.find((each) => each === draft.transport) ?? null,
    srtp: SRTP_MODES.find((each) => each === draft.srtp) ?? null,
    outbound_proxy: orNull(draft.outbound_proxy),
    backup_hosts: linesOf(draft.backup_hosts),
    from_domain: orNull(draft.from_domain),
    from_user: FROM_USERS.find((each) => each === draft.from_user) ?? null,
    identity_header: IDENTITY_HEADERS.find((each) => each === draft.identity_header) ?? null,
    username: orNull(draft.username),
    auth_username: orNull(draft.auth_username),
    // Without a registration nothing proves a call: the field is hidden then.
    inbound_by_registration: draft.register && draft.inbound_by_registration,
    inbound_format: NUMBER_FORMATS.find((each) => each === draft.inbound_format) ?? null,
    outbound_format: NUMBER_FORMATS.find((each) => each === draft.outbound_format) ?? null,
    // Absent keeps the stored one, empty removes it.
    ...(forget ? { password: '' } : password === '' ? {} : { password }),
    addresses: addresses.length === 0 ? null : addresses,
    inbound_numbers: linesOf(draft.inbound_numbers),
    outbound_prefixes: draft.outbound_prefixes.map(({ prefix, strip, add }) => ({
      prefix: prefix.trim(),
      strip: strip ?? 0,
      add: add.trim(),
    })),
    caller_id: orNull(draft.caller_id),
  };
}

export type TrunkForm = RecordForm<TrunkWithWarnings, TrunkDraft>;
