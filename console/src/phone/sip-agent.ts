// The SIP stack of the page: JsSIP, loaded when a phone starts. The only file that names it.
import type { UA } from 'jssip';
import type { PhoneSessionMade } from '../../../client/operations.ts';

export type SipAgent = UA;
export type SipCall = ReturnType<UA['call']>;
type Sip = typeof import('jssip');

/** A dialog as `Replaces` names it (RFC 3891): who knows its tags may take its place. */
export type Replaces = string;

export const loadSip = (): Promise<Sip> => import('jssip');

/** The service decides how long a phone rings. */
const NO_ANSWER_SECONDS = 3_600;
const RETRY_MAX_SECONDS = 2;

export function makeAgent(
  sip: Sip,
  { username, password, realm, path, may }: PhoneSessionMade,
  { protocol, host }: Pick<Location, 'protocol' | 'host'> = location,
): SipAgent {
  return new sip.UA({
    sockets: [new sip.WebSocketInterface(`${protocol.replace('http', 'ws')}//${host}${path}`)],
    uri: `sip:${username}@${host}`,
    password,
    realm,
    register: may.includes('register'),
    no_answer_timeout: NO_ANSWER_SECONDS,
    connection_recovery_min_interval: 1,
    connection_recovery_max_interval: RETRY_MAX_SECONDS,
    user_agent: 'Dialtree console',
  });
}

export const addressOf = (number: string): string =>
  `sip:${number.replace(/[^\w*+.-]/gu, encodeURIComponent)}@${location.host}`;

/** Null if there is no dialog yet. */
export function replacesOf(call: SipCall): Replaces | null {
  const { _dialog: dialog } = call as SipCall & {
    readonly _dialog?: {
      readonly id: { readonly call_id: string; readonly local_tag: string; readonly remote_tag: string };
    } | null;
  };
  if (!dialog) return null;
  const { call_id, local_tag, remote_tag } = dialog.id;
  return `${call_id};to-tag=${remote_tag};from-tag=${local_tag}`;
}
