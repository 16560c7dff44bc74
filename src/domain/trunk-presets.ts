// Settings of trunks at well-known providers: data, from the pages of the providers named in `source`. None was tried with the provider itself.
// Each setting has its reason; `unverified` names those that the page was not found to say when it was last compared. Addresses of calls are left out: they change, and belong to the provider's page.
import type { Trunk } from '../kinds/trunk.ts';

/** What a preset may set. A host with `<…>` is to be completed. */
type PresetSettings = Partial<
  Pick<
    Trunk,
    | 'host'
    | 'port'
    | 'transport'
    | 'register'
    | 'inbound_by_registration'
    | 'from_domain'
    | 'from_user'
    | 'identity_header'
    | 'inbound_format'
    | 'outbound_format'
    | 'backup_hosts'
    | 'keepalive_seconds'
  >
>;

export interface TrunkPreset {
  readonly id: string;
  readonly name: string;
  /** The page that the settings are from. */
  readonly source: string;
  readonly settings: PresetSettings;
  /** Settings that the page was not found to say: customary, or from elsewhere. */
  readonly unverified: readonly (keyof PresetSettings)[];
  /** Why each setting is what it is, and what remains to be filled in. */
  readonly explained: {
    readonly [K in keyof PresetSettings | 'username' | 'addresses' | 'caller_id']?: string;
  };
}

const BY_REGISTRATION =
  'Calls come from the registrar: the registration proves them, whatever their address.';

export const TRUNK_PRESETS: readonly TrunkPreset[] = [
  {
    id: 'twilio',
    name: 'Twilio Elastic SIP Trunking',
    source: 'https://www.twilio.com/docs/sip-trunking/sending-sip-to-twilio-best-practices',
    settings: {
      host: '<name>.pstn.twilio.com',
      register: false,
      outbound_format: 'plus',
      inbound_format: 'plus',
    },
    unverified: ['register'],
    explained: {
      host: 'Your Termination SIP URI. The Request-URI must have this name: Twilio knows the trunk by it.',
      register: 'Twilio takes no registrations; calls go to the Origination URI that you enter there.',
      outbound_format: 'Numbers are E.164 with a plus.',
      inbound_format: 'Numbers are E.164 with a plus.',
      username: 'Of a Credential List of the trunk; none with an IP Access Control List.',
      addresses: 'The signalling networks of your region, from the page IP addresses of Twilio.',
      caller_id: 'A Twilio number, or one that is verified there.',
    },
  },
  {
    id: 'telnyx',
    name: 'Telnyx',
    source: 'https://developers.telnyx.com/docs/voice/sip-trunking/authentication/credential-types.md',
    settings: {
      host: 'sip.telnyx.com',
      register: true,
      inbound_by_registration: true,
      outbound_format: 'plus',
    },
    unverified: ['inbound_by_registration', 'outbound_format'],
    explained: {
      host: 'The SIP proxy of the United States; sip.telnyx.com lists the other regions.',
      register: 'A connection of the type Credentials registers with its user name and password.',
      inbound_by_registration: BY_REGISTRATION,
      outbound_format: 'Numbers are E.164 with a plus.',
      username: 'The user name of the SIP connection.',
    },
  },
  {
    id: 'vonage',
    name: 'Vonage SIP Trunking',
    source: 'https://developer.vonage.com/en/sip/configure/freepbx',
    settings: {
      host: 'sip.nexmo.com',
      register: false,
      from_domain: 'sip.nexmo.com',
      outbound_format: 'digits',
    },
    unverified: ['outbound_format'],
    explained: {
      host: 'Or the domain of your trunk, such as yourcompany.sip-us.vonage.com.',
      register: 'Each call is authenticated; there is no registration.',
      from_domain: 'From has the domain of Vonage.',
      outbound_format: 'Numbers are E.164; the caller ID in From is written without a plus.',
      username: 'The API key; the password is the API secret.',
      addresses: 'From the knowledge base of Vonage.',
    },
  },
  {
    id: 'sipgate',
    name: 'sipgate trunking',
    source: 'https://help.sipgate.de/trunking/wie-setze-ich-bei-sipgate-trunking-die-absenderrufnummer',
    settings: {
      host: 'sipconnect.sipgate.de',
      register: true,
      inbound_by_registration: true,
      from_user: 'username',
      identity_header: 'ppi',
      outbound_format: 'digits',
    },
    unverified: ['register', 'inbound_by_registration'],
    explained: {
      host: 'The domain of the trunk and of the identity header.',
      register: 'The SIP-ID of the trunk registers.',
      inbound_by_registration: BY_REGISTRATION,
      from_user: 'From has the SIP-ID (1234567t0), not the caller ID.',
      identity_header: 'The caller ID stands in P-Preferred-Identity.',
      outbound_format: 'The caller ID has the country code, without plus or zeros: 49211….',
      username: 'The SIP-ID of the trunk, such as 1234567t0.',
    },
  },
  {
    id: 'easybell',
    name: 'easybell',
    source:
      'https://en.easybell.de/help/questions/questions-concerning-the-telephone-connection/answer/form-of-phone-numbers-at-incoming-calls',
    settings: { register: true, inbound_by_registration: true, inbound_format: 'digits' },
    unverified: ['inbound_by_registration'],
    explained: {
      host: 'The SIP registrar that my.easybell shows under the details of the connection.',
      register: 'Devices log in at the registrar with SIP user name and password.',
      inbound_by_registration: BY_REGISTRATION,
      inbound_format:
        'The number signalling E.164 of my.easybell: without a plus (493012345), in To. Choose it there, or the form of your choice here.',
      username: 'The SIP user name that my.easybell shows.',
    },
  },
  {
    id: 'nfon',
    name: 'NFON Nconnect Voice',
    source:
      'https://www.nfon.com/en/service/documentation/leaflets/nconnect-voice-sip-trunk/leaflet-nconnect-voice/d-examples',
    settings: {
      host: 'trunk.cloud-cfg.com',
      register: true,
      inbound_by_registration: true,
      identity_header: 'pai',
      outbound_format: 'plus',
      inbound_format: '00',
    },
    unverified: [],
    explained: {
      host: 'The platform that the trunk registers at and calls.',
      register: 'The SIP user (KXXXabcd) registers.',
      inbound_by_registration: 'Calls are for the SIP user; the dialled number stands in To.',
      identity_header: 'The caller ID stands in From and in P-Asserted-Identity.',
      outbound_format: 'Numbers begin with a plus or 00.',
      inbound_format: 'Numbers begin with 00 and the country code.',
      username: 'The SIP user, such as KXXXabcd.',
    },
  },
  {
    id: 'simwood',
    name: 'Simwood (VoIP123)',
    source: 'https://support.simwood.com/hc/en-gb/articles/360016550899-Trunks-Interop',
    settings: { host: 'sip.voip123.co.uk', register: true, inbound_by_registration: true },
    unverified: ['host', 'register', 'inbound_by_registration'],
    explained: {
      host: 'The server of Connect a Device, SIP Settings.',
      register: 'Inbound calls need a registration.',
      inbound_by_registration: BY_REGISTRATION,
      username: 'The user name of the trunk, six digits.',
    },
  },
  {
    id: 'flowroute',
    name: 'Flowroute',
    source:
      'https://support.bcmone.com/flowroute-support/docs/flowroute-service-guide-technical-specifications',
    settings: {
      host: 'us-west-or.sip.flowroute.com',
      identity_header: 'pai',
      outbound_format: 'plus',
    },
    unverified: ['host'],
    explained: {
      host: 'The point of presence in Oregon; choose the one that is next to you.',
      identity_header: 'The caller ID is read from P-Asserted-Identity, then Remote-Party-ID, then From.',
      outbound_format: 'Numbers are E.164; the plus is optional.',
      username:
        'For digest authentication. With IP authentication: none, and a prefix rule that adds your tech prefix and *.',
      addresses: 'Those of the points of presence that send your calls.',
    },
  },
  {
    id: 'didww',
    name: 'DIDWW (outbound trunk)',
    source: 'https://doc.didww.com/voice/outbound-trunks/outbound-sip-information.html',
    settings: {
      host: 'fra.eu.out.didww.com',
      register: false,
      backup_hosts: ['ams.eu.out.didww.com', 'nyc.us.out.didww.com'],
    },
    unverified: [],
    explained: {
      host: 'The load balancer in Frankfurt; DIDWW has seven, each of which takes calls.',
      register: 'Outbound trunks authenticate each call, and your address must be allowed there.',
      backup_hosts: 'Amsterdam and New York, tried where Frankfurt does not answer.',
      username: 'Of the trunk, with Credentials & IP-Based authentication.',
      addresses: 'Of the inbound trunk: the list of static SIP URI endpoints.',
    },
  },
  {
    id: 'plivo',
    name: 'Plivo Zentrunk',
    source: 'https://docs.plivo.com/docs/sip-trunking/api/trunks',
    settings: { host: '<trunk id>.zt.plivo.com', register: false, outbound_format: 'plus' },
    unverified: ['host', 'register', 'outbound_format'],
    explained: {
      host: 'The domain of your outbound trunk, such as 21784177241578.zt.plivo.com.',
      register: 'Outbound trunks authenticate each call; inbound trunks call a URI that you enter.',
      outbound_format: 'Numbers may be E.164.',
      username: 'Of the credentials of the trunk; none with an IP access control list.',
      addresses: 'Those that Plivo names for inbound trunks.',
    },
  },
  {
    id: 'signalwire',
    name: 'SignalWire',
    source:
      'https://developer.signalwire.com/freeswitch/FreeSWITCH-Explained/Interoperability/Providers-ITSPs/20709712',
    settings: {
      host: '<space>.signalwire.com',
      register: false,
      outbound_format: 'plus',
      inbound_format: 'plus',
    },
    unverified: ['outbound_format'],
    explained: {
      host: 'The SIP domain of your space.',
      register: 'The gateway of SignalWire’s own example does not register.',
      outbound_format: 'Numbers are E.164 with a plus.',
      inbound_format: 'Numbers are E.164 with a plus.',
      username: 'The user name of the SIP endpoint.',
      addresses: 'Those that sip.signalwire.com leads to.',
    },
  },
  {
    id: 'voipms',
    name: 'VoIP.ms',
    source: 'https://wiki.voip.ms/w/index.php?title=SIP_URI',
    settings: {
      host: '<city>.voip.ms',
      register: true,
      inbound_by_registration: true,
      from_user: 'username',
      identity_header: 'rpid',
    },
    unverified: ['inbound_by_registration', 'from_user', 'identity_header'],
    explained: {
      host: 'The server that you choose for the account, such as houston.voip.ms.',
      register: 'The account or sub-account registers at its server.',
      inbound_by_registration: BY_REGISTRATION,
      from_user: 'From has the account, as in the examples for Asterisk.',
      identity_header: 'The caller ID stands in Remote-Party-ID.',
      username: 'Six digits, or a sub-account such as 100000_office.',
    },
  },
];
