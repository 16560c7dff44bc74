// What the members of numbers, trunks, block list, caller-id rules and voicemail boxes mean.
import type { Catalogue } from '../describe.ts';

export const LINES: Catalogue = {
  Number: {
    number:
      'The number that callers dial. In any form of the same number: with a country in the settings, `030123456` and `+4930123456` are one.',
    destination: 'Where calls to this number go first.',
    description: 'A note for people who configure the number. Callers do not hear it.',
  },
  Trunk: {
    name: 'The name of the trunk, which no other trunk of the account has.',
    host: 'Where the provider is: calls go out to this host, and `register` registers there.',
    port: 'The port of the host. 0: as DNS (SRV) says, or the default of the transport.',
    transport: 'How SIP messages reach the host.',
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
    agents_may_call: 'Whether agents may dial out over this trunk from their phones and by click to call.',
    caller_id:
      'The number that outbound calls show, unless a caller-id rule fits. Null: the number of the caller.',
    max_calls: 'How many calls may use the trunk at once, both directions together.',
    enabled: 'Whether the trunk is in use. False: no calls come in or go out over it.',
    warnings: 'What is likely wrong with the trunk.',
  },
  TrunkState: {
    registered: 'Whether the provider has accepted the registration. Null: the trunk does not register.',
    problem: 'Why it is not registered, in one sentence. Null: nothing is wrong.',
    calls: 'How many calls use the trunk at this moment.',
    unused_addresses:
      'Addresses of the trunk from which no call is taken: the account may not have them, or an older trunk of another account has them.',
  },
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
  BlockedNumber: {
    number:
      'Whose calls are refused. With `*` at the end: all numbers that begin so. Null where `anonymous` is true.',
    anonymous: 'Whether callers who withhold their number are refused, instead of a number.',
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
