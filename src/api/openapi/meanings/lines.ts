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
  Number: {
    number:
      'The number that callers dial. In any form of the same number: with a country in the settings, `030123456` and `+4930123456` are one.',
    destination: 'Where calls to this number go first.',
    description: 'A note for people who configure the number. Callers do not hear it.',
    priority:
      'From 0 to 100: in queues, callers of a number with a higher one are served first. An option of a menu can change it.',
  },
  Trunk: {
    name: 'The name of the trunk, which no other trunk of the account has.',
    host: 'Where the provider is: calls go out to this host, and `register` registers there.',
    port: 'The port of the host. 0: as DNS (SRV) says, or the default of the transport.',
    transport: 'How SIP messages reach the host.',
    outbound_proxy:
      'Where requests for the host are sent, with a Route: a name or an address, with a port behind it if there is one (`proxy.example.com:5070`). Null: to the host itself.',
    backup_hosts:
      'Hosts (or, with `outbound_proxy`, proxies) that are tried in this order where the former does not answer within 4 s, cannot be reached or answers 503; never after a phone rang. A name with SRV records has its own order before them.',
    keepalive_seconds:
      'How often OPTIONS are sent to all hosts: 0 (never), or 10 to 3600. GET /v1/trunk/{id}/state has what came of it, and hosts that do not answer are called last.',
    from_domain:
      'The host of our own addresses in From and the identity header. Null: `host` where there is a user name, otherwise the address of this service.',
    srtp: 'Encrypted sound (SRTP with keys in SDP, RFC 4568). `offered`: wherever the other side has it, and keys are offered over TLS alone. `required`: as RTP/SAVP; a call without it is refused. `off`: never.',
    from_user:
      'What stands before it in From: `caller_id`, or `username` for providers that know customers by it. Then the caller ID is in the identity header alone.',
    identity_header:
      'Which header has the caller ID beside From: `pai` (P-Asserted-Identity), `ppi` (P-Preferred-Identity), `rpid` (Remote-Party-ID) or `none`. Of calls without a number it is sent with a request for privacy, as P-Asserted-Identity also for `none`.',
    auth_username:
      'The name in digest authentication, where it is another than `username`. Null: `username`.',
    inbound_by_registration:
      'Whether calls are also taken by what the registration proves, from whatever address they come: they are for the random `line` parameter of our Contact, come on the connection that registered, or are for `username` from the address that accepted the registration. Needs `register`.',
    inbound_format:
      'How the provider writes the numbers of its calls: `plus` (+4930…), `national` (030…), `00` (004930…), `digits` (4930…), `as_is`: in any form that the country of the account has.',
    outbound_format:
      'How the provider wants numbers: `plus`, `national`, `00`, `digits`, or `as_is`, as they are dialled. For the caller ID, and for numbers whose prefix rule neither strips nor adds.',
    addresses:
      'The addresses and networks from which calls of this trunk come; calls from elsewhere are not its calls. Empty: it only dials out. Without it: `host`, where that is an address.',
    username: 'The user name at the provider, for registration and authentication. Null: none.',
    password:
      'The password at the provider. It is stored sealed and never shown. Not sent: the stored one stays; empty: it is removed.',
    has_password: 'Whether a password is stored.',
    register: 'Whether the service registers with the host, so that the provider knows where to send calls.',
    inbound_numbers: 'The numbers of the account that calls from this trunk may reach. Empty: all of them.',
    outbound_prefixes:
      'Which numbers may be dialled out over this trunk. The longest prefix that fits decides; empty: no call goes out.',
    'outbound_prefixes[].prefix': 'How a number must begin, as it is written.',
    'outbound_prefixes[].strip': 'How many characters are taken off the front of the number.',
    'outbound_prefixes[].add':
      'What is put in front of the rest. Example: prefix `0`, strip 1, add `+49` dials 030… as +4930….',
    agents_may_call:
      'Whether agents may dial out over this trunk from their phones and by click to call, and `POST /v1/call` may. Numbers of the flow and `follow_me_number` need no such leave.',
    caller_id:
      'The number that outbound calls show, unless a caller-id rule fits. Null: the number of the caller.',
    max_calls: 'How many calls may use the trunk at once, both directions together.',
    enabled: 'Whether the trunk is in use. False: no calls come in or go out over it.',
    warnings: 'What is likely wrong with the trunk.',
  },
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
  VoicemailBox: {
    name: 'The name of the box, as the console and e-mails show it.',
    greeting: 'What callers hear before the beep. Null: the built-in greeting.',
    max_seconds: 'The longest message, in seconds.',
    silence_seconds: 'How much silence ends a message, in seconds.',
    email: 'Where a notification of each message goes. Null: none is sent.',
    warnings: 'What is likely wrong with the box.',
  },
  Room: {
    name: 'The name of the room, as the console and call records show it.',
    pin: 'The PIN that callers enter, 4 to 12 digits. Null: none is asked for.',
    host_pin: 'The PIN that makes a caller the host. Null: the room has no host.',
    pin_recording: 'What asks for the PIN. Null: the built-in prompt.',
    wait_for_host: 'Whether callers hear music until a host is there.',
    music_on_hold: 'What callers hear who wait for the host. Null: the built-in music.',
    end_with_host: 'Whether the conference ends for all when the last host leaves.',
    announce:
      'What announces participants who join or leave: `true` a tone, `false` nothing, `name` a tone and the name that the caller said before joining. `tone` and `none` may be sent for `true` and `false`.',
    max_participants: 'How many callers may be in the room at once, those who wait for the host included.',
    record: 'Whether the conference is recorded, all voices in one channel.',
    failover_destination:
      'Where callers go who are not let in. Null: the call ends, with an apology if it was answered and otherwise as `failed_calls` says.',
    warnings: 'What is likely wrong with the room.',
  },
  RoomParticipants: {
    id: 'The id of the room, as in the path.',
    name: 'What the room is called.',
    locked: 'Whether callers other than hosts are refused. The lock ends with the conference.',
    recording: 'Whether the conference is being recorded.',
    participants: 'The callers in the room, in the order in which they came.',
    'participants[].call_id': 'The id of the live call, for muting and removing its caller.',
    'participants[].caller': 'The number of the caller. Null: it was withheld.',
    'participants[].caller_name': 'The name that the caller’s side sent, not trusted.',
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
  BlockedNumber: {
    number:
      'Whose calls are refused. With `*` at the end: all numbers that begin so. Null where `anonymous` is true, or for every caller with that `verstat`.',
    anonymous: 'Whether callers who withhold their number are refused, instead of a number.',
    verstat:
      "Only calls whose caller the network did not verify (STIR/SHAKEN): `failed`: it says that the number is not the caller's; `unverified`: it does not say that it is. Null: all calls.",
    dialled: 'The number of yours for which the entry holds. Null: for all.',
    reason: 'Why it is blocked, for people. The caller does not learn it.',
  },
  CallerIdRule: {
    name: 'The name of the rule, as the console shows it.',
    priority:
      'Which rule decides where several fit: the one with the lowest number, of equal ones the older.',
    trunk: 'The rule holds for calls over this trunk. Null: over any.',
    agent: 'The rule holds for calls of this agent, or to the follow-me number of this agent. Null: of any.',
    department: 'The rule holds for agents of this department. Null: of any.',
    prefix: 'How the dialled number must begin, in any form. Null: any number.',
    show: 'What the called party sees: a number; `caller`: the number of the original caller; `withhold`: no number.',
  },
};
