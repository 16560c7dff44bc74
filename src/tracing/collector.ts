// OTEL_EXPORTER_OTLP_HEADERS as a value.

export const HEADERS_FORM = 'a list such as authorization=Bearer%20abc,x-tenant=one';

/** The form of the OpenTelemetry specification: names and percent-encoded values. Null: it cannot be used. */
export function readHeaders(text: string): Readonly<Record<string, string>> | null {
  const headers: Record<string, string> = {};
  for (const part of text === '' ? [] : text.split(',')) {
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    const value = part.slice(equals + 1).trim();
    if (!/^[A-Za-z0-9-]{1,64}$/.test(name) || !/^[\x20-\x7e]{0,1024}$/.test(value)) return null;
    try {
      headers[name.toLowerCase()] = decodeURIComponent(value);
    } catch {
      return null;
    }
  }
  return headers;
}
