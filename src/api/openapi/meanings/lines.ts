// What the members of numbers, trunks, block list, caller-id rules voicemail boxes and conference rooms mean.
import type { Catalogue } from '../describe.ts';

const TRUNK_STATE = {
  registered: 'Whether the provider has accepted the registration. Null: the trunk does not register.',
  problem: 'Why it is not registered, in one sentence. Null: nothing is wrong.',
  registered_by:
    'The id of the node that registers at the provider. Null: the service runs on one node alone, or the trunk does not register.',
  calls: 'How many calls use the trunk at this moment.',
  reachable:
    'Whether any host of the trunk answers OPTIONS, as the node that gives this answer sees it. Null: they are not asked (`keepalive_seconds` 0), or not yet.',
  hosts: 'Each address of the hosts, as the last OPTIONS found it. Those that do not answer are called last.',
  'hosts[].host': 'The host, as the trunk names it.',
  'hosts[].address': 'The address that its name led to. Empty: it led to none.',
  'hosts[].port': 'The port that was asked.',
  'hosts[].reachable': 'Whether it answered, with anything but 503.',
  'hosts[].latency_ms': 'How long the answer took, in milliseconds. Null: there was none.',
  unused_addresses:
    'Addresses of the trunk from which no call is taken: the account may not have them, or an older trunk of another account has them.',
};

export const LINES: Catalogue = {
  TrunkPreset: {
    id: 'A stable word for the preset.',
    name: 'The provider, and which of its products.',
    source: 'The page of the provider that the settings are from.',
    settings: 'Members of a trunk as the provider wants them. A host with `<…>` is to be completed.',
    ...Object.fromEntries(
      [
        ...['host', 'port', 'transport', 'register', 'inbound_by_registration', 'from_domain', 'from_user'],
        ...['identity_header', 'inbound_format', 'outbound_format', 'backup_hosts', 'keepalive_seconds'],
      ].map((name) => [`settings.${name}`, `The member \`${name}\` of a trunk.`]),
    ),
    unverified:
      'Members of `settings` that the page was not found to say: compare them with what the provider tells you.',
    explained: 'By member of a trunk: why it is set so, or what is to be filled in.',
  },
  TrunkPresets: { data: 'The presets, one for each provider.' },
  LiveTrunk: { id: 'Which trunk, as paths name it.', ...TRUNK_STATE },
  TrunkState: TRUNK_STATE,
  Telephony: {
    sip: 'Whether this service has telephones at all (false: started with SIP=off).',
    host: 'The address that SIP listens at; `0.0.0.0`: all of them. Null: SIP is off.',
    port: 'The port for UDP and TCP. Null: SIP is off.',
    tls_port: 'The port for TLS. Null: TLS is off.',
    transports: 'How phones may connect.',
    advertised_address:
      'The address in SIP messages and SDP, where `ADVERTISED_ADDRESS` is set. Null: the one that it listens at.',
    sms: 'Whether an SMS gateway is configured (`SMS_URL`); without one no text message can be sent.',
    email: 'Whether a mail server is configured (`SMTP_URL`); without one no notification is sent.',
    speech:
      'Whether a program that synthesizes speech is configured (`TTS_COMMAND`); without one recordings are files only.',
    realm: 'The realm of digest authentication, for phones that ask for it.',
  },
  RoomParticipants: {
    id: 'The id of the room, as in the path.',
    name: 'What the room is called.',
    locked: 'Whether callers other than hosts are refused. The lock ends with the conference.',
    recording: 'Whether the conference is being recorded.',
    participants: 'The callers in the room, in the order in which they came.',
    'participants[].call_id': 'The id of the live call, for muting and removing its caller.',
    'participants[].caller': 'The number of the caller. Null: it was withheld.',
    'participants[].caller_name':
      'The name of the contact with the caller’s number, or else the name that the caller’s side sent, not trusted.',
    'participants[].agent': 'The eid of the agent who called from an own phone. Null: no agent.',
    'participants[].host': 'Whether the caller entered the PIN of the host.',
    'participants[].muted': 'Whether what the caller says is not heard.',
    'participants[].waiting':
      'Whether the caller is not in the conference yet: hears music until the host comes, or says the name.',
    'participants[].joined_at': 'When the caller came into the room.',
  },
  MuteParticipantInput: { call_id: 'The id of the live call of the participant.' },
  UnmuteParticipantInput: { call_id: 'The id of the live call of the participant.' },
  RemoveParticipantInput: { call_id: 'The id of the live call of the participant.' },
};
