// Addresses as people write them into the configuration.

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);
}

export function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol } = new URL(text);
  return protocol === 'postgres:' || protocol === 'postgresql:';
}

/** A database address fit for a log: where it is and who asks, never the password, however the address is written. */
export function withoutPassword(url: string): string {
  const [beforeQuery = ''] = url.split('?');
  const at = beforeQuery.lastIndexOf('@');
  if (at < 0) return beforeQuery;
  const scheme = beforeQuery.indexOf('://');
  const from = scheme < 0 ? 0 : scheme + 3;
  const [user = ''] = beforeQuery.slice(from, at).split(':');
  return `${beforeQuery.slice(0, from)}${user}:***${beforeQuery.slice(at)}`;
}
