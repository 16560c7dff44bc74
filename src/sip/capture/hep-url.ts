// HEP_URL as a value: where copies of SIP messages go.

export interface HepTarget {
  readonly host: string;
  readonly port: number;
}

export const HEP_URL_FORM = 'of the form udp://host:9060';

/** Null if it cannot be used. */
export function readHepUrl(text: string): HepTarget | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'udp:' || url.hostname === '' || url.port === '' || url.username !== '') return null;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
}
