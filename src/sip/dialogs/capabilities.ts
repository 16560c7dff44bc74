// Capabilities announced in every dialog: methods, extensions, Contact. Never a version (threat T32).
import type { Abilities } from '../sanity.ts';
import type { TransportFlow, Transports } from '../transports/transport.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** For sanity.ts: supported methods, extensions and content types. */
export const ABILITIES: Abilities = {
  methods: [
    'INVITE',
    'ACK',
    'CANCEL',
    'BYE',
    'OPTIONS',
    'INFO',
    'UPDATE',
    'PRACK',
    'REFER',
    'NOTIFY',
    'SUBSCRIBE',
    'REGISTER',
  ],
  extensions: new Set(['100rel', 'timer', 'path', 'replaces', 'tdialog']),
  bodies: ['application/sdp', 'multipart/mixed', 'multipart/related', 'multipart/alternative'],
};

export const ALLOW: readonly [string, string] = [
  'allow',
  ABILITIES.methods.filter((method) => method !== 'REGISTER').join(', '),
];
export const SUPPORTED: readonly [string, string] = ['supported', '100rel, timer, path, replaces, tdialog'];
export const SERVER: readonly [string, string] = ['server', 'Dialtree'];
export const USER_AGENT: readonly [string, string] = ['user-agent', 'Dialtree'];
export const SDP_TYPE: readonly [string, string] = ['content-type', 'application/sdp'];
export const ACCEPT: readonly [string, string] = ['accept', 'application/sdp, multipart/mixed'];

/** A URI under which the peer of that flow reaches us. */
export function contactUri(
  transports: Pick<Transports, 'sentBy'>,
  flow: TransportFlow,
  user = '',
  secure = false,
): string {
  const { host, port } = transports.sentBy(flow);
  const at = user === '' ? '' : `${user}@`;
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  if (secure) return `sips:${at}${name}:${port}`;
  return flow.protocol === 'udp'
    ? `sip:${at}${name}:${port}`
    : `sip:${at}${name}:${port};transport=${flow.protocol}`;
}
