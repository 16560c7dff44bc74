// Text in XML. Names come from callers: what XML 1.0 does not allow is left out.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Longer names are cut: a NOTIFY must fit into a datagram. */
const MAX_TEXT = 200;

export function escapeXml(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '')
    .replace(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
}
