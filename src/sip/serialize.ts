// Message → bytes. Whatever a value holds, it stays on its line: CR, LF and NUL become spaces.
import { writtenName } from './header-names.ts';
import type { SipMessage, SipRequest } from './message.ts';

/** Content-Length is written here, from the body, as the last header; one among the headers is left out. */
export function serialize(message: SipMessage | Omit<SipRequest, 'via'>): Buffer {
  let text =
    message.kind === 'request'
      ? `${onOneLine(message.method)} ${onOneLine(message.uri)} SIP/2.0\r\n`
      : `SIP/2.0 ${message.status} ${onOneLine(message.reason)}\r\n`;
  for (const [name, value] of message.headers) if (name !== 'content-length') text += headerLine(name, value);
  return withBody(text, message.body);
}

export function headerLine(name: string, value: string): string {
  return `${writtenName(name)}${onOneLine(value)}\r\n`;
}

/** The end of the header section, and what follows it. */
export function withBody(head: string, body: Buffer): Buffer {
  if (body.length === 0) return Buffer.from(`${head}Content-Length: 0\r\n\r\n`);
  const text = `${head}Content-Length: ${body.length}\r\n\r\n`;
  const length = Buffer.byteLength(text);
  const bytes = Buffer.allocUnsafe(length + body.length);
  bytes.write(text, 0);
  body.copy(bytes, length);
  return bytes;
}

export function onOneLine(value: string): string {
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    if (code === 0x0a || code === 0x0d || code === 0)
      return value.replaceAll('\r', ' ').replaceAll('\n', ' ').replaceAll('\0', ' ');
  }
  return value;
}
