// The variables of the environment that have a name in words; another one is shown by its own name.
import type { Key } from '../../words/words.tsx';

const NAMES = [
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_PER_MINUTE',
  'MAIL_PER_DAY',
  'SMS_URL',
  'SMS_SENDER',
  'SMS_PER_MINUTE',
  'TTS_COMMAND',
  'TTS_URL',
  'TTS_MODEL',
  'TTS_VOICE',
  'HOST',
  'PORT',
  'TRUSTED_PROXIES',
  'SIP',
  'SIP_HOST',
  'SIP_PORT',
  'SIP_TLS_PORT',
  'RTP_PORTS',
  'WEBRTC_PORT',
  'ICE_SERVERS',
  'PUBLIC_URL',
  'ADVERTISED_ADDRESS',
  'SIP_EDGES',
  'SIP_OUTBOUND_EDGE',
  'SIP_ADDRESS_HOSTS',
  'OUTBOUND_ALLOW',
  'MAX_CALLS',
] as const;

export function variableKey(name: string): Key | null {
  const known = NAMES.find((each) => each === name);
  return known === undefined ? null : `service.${known}`;
}

/** What a value looks like, in the field where nothing is set. */
export const VALUE_EXAMPLES: Readonly<Record<string, string>> = {
  SMTP_URL: 'smtp://user:password@mail.example.com:587',
  SMS_URL: 'smpp://user:password@sms.example.com:2775',
  PUBLIC_URL: 'https://phones.example.com',
  ADVERTISED_ADDRESS: '203.0.113.7',
};
