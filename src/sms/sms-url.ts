// SMS_URL as a value: where text messages go, and by which protocol.

export type SmsTarget =
  | {
      readonly protocol: 'smpp';
      readonly host: string;
      readonly port: number;
      readonly tls: boolean;
      readonly systemId: string;
      readonly password: string;
      readonly systemType: string;
      readonly window: number;
      readonly idTag: number;
    }
  | { readonly protocol: 'http'; readonly url: string; readonly secret: string };

export const SMS_URL_FORM =
  'of the form smpp://user:password@host:2775, smpps://…, or https://:secret@host/path (docs/sms.md)';

const DEFAULT_WINDOW = 10;
/** SMPP 3.4 §5.3.2: 0x1400 to 0x3fff are the vendors'. */
const ID_TAG = 0x1400;
/** SMPP 3.4 §4.1.5: with their NULs 16, 9 and 13 bytes. */
const MOST = { systemId: 15, password: 8, systemType: 12 } as const;

/** Null if it cannot be used. */
export function readSmsUrl(text: string): SmsTarget | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  switch (url.protocol) {
    case 'http:':
    case 'https:': {
      const secret = decoded(url.password);
      url.username = '';
      url.password = '';
      return secret === null ? null : { protocol: 'http', url: url.href, secret };
    }
    case 'smpp:':
    case 'smpps:':
      return smppTarget(url);
    default:
      return null;
  }
}

function smppTarget(url: URL): SmsTarget | null {
  const systemId = decoded(url.username);
  const password = decoded(url.password);
  const systemType = url.searchParams.get('system_type') ?? '';
  const window = wholeIn(url.searchParams.get('window') ?? String(DEFAULT_WINDOW), 1, 1000);
  const tag = url.searchParams.get('id_tag') ?? String(ID_TAG);
  const idTag = tag === 'off' ? 0 : wholeIn(tag, 0x1400, 0x3fff);
  if (systemId === null || password === null || window === null || idTag === null) return null;
  const tooLong =
    systemId.length > MOST.systemId || password.length > MOST.password || systemType.length > MOST.systemType;
  if (url.hostname === '' || tooLong) return null;
  const tls = url.protocol === 'smpps:';
  return {
    protocol: 'smpp',
    // An IPv6 address stands in brackets.
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port || (tls ? 3550 : 2775)),
    tls,
    systemId,
    password,
    systemType,
    window,
    idTag,
  };
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function wholeIn(text: string, min: number, max: number): number | null {
  const value = /^(0x[0-9a-f]{1,4}|\d{1,5})$/i.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : null;
}
