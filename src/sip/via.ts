// Via: where a message came along, and where its response goes (RFC 3261 §20.42, RFC 3581).
import { Cursor } from './cursor.ts';
import type { Via } from './message.ts';
import { formatParams, NO_PARAMS, ParamList, readParams } from './params.ts';

export const NO_VIA: Via = { transport: '', host: '', port: 0, branch: '', params: NO_PARAMS };

/** One value; the cursor stops at the comma behind it or at the end. A failed one may still have a usable host. */
export function readVia(cursor: Cursor): Via {
  if (!readProtocol(cursor)) cursor.failed = true;
  cursor.skipSpace();
  const transport = cursor.token().toUpperCase();
  cursor.skipSpace();
  const host = readHost(cursor);
  cursor.skipSpace();
  let port = 0;
  if (cursor.take(0x3a)) {
    cursor.skipSpace();
    port = cursor.number(65_535);
    if (Number.isNaN(port)) {
      cursor.failed = true;
      port = 0;
    }
  }
  if (transport === '' || host === '') cursor.failed = true;
  const params = readParams(cursor);
  if (!cursor.ended && cursor.peek() !== 0x2c) cursor.failed = true;
  return { transport, host, port, branch: params.get('branch') ?? '', params };
}

/** `SIP / 2.0 /`, spaces allowed around the slashes. False for another version, which is stepped over. */
function readProtocol(cursor: Cursor): boolean {
  cursor.skipSpace();
  if (cursor.text.startsWith('SIP/2.0/', cursor.at)) {
    cursor.at += 8;
    return true;
  }
  const name = cursor.token();
  cursor.skipSpace();
  if (!cursor.take(0x2f)) return false;
  cursor.skipSpace();
  const version = cursor.token();
  cursor.skipSpace();
  return cursor.take(0x2f) && name.toUpperCase() === 'SIP' && version === '2.0';
}

/** Lower case; an IPv6 address with its brackets, or without them as some write it into `received`. */
function readHost(cursor: Cursor): string {
  const start = cursor.at;
  if (cursor.take(0x5b)) {
    const end = cursor.text.indexOf(']', start);
    if (end < 0) return '';
    cursor.at = end + 1;
  } else {
    cursor.token();
  }
  return cursor.text.slice(start, cursor.at).toLowerCase();
}

/** Null when it is malformed or more than one. */
export function parseVia(text: string): Via | null {
  const cursor = new Cursor(text);
  const via = readVia(cursor);
  return cursor.failed || !cursor.ended ? null : via;
}

export function formatVia(via: Via): string {
  const port = via.port === 0 ? '' : `:${via.port}`;
  return `SIP/2.0/${via.transport} ${via.host}${port}${formatParams(via.params)}`;
}

/**
 * A Via with the address that its message really came from: `received` when the host says otherwise (RFC 3261 §18.2.1) or when `rport`
 * asks, which then gets the port (RFC 3581 §4). The same one if there is nothing to add.
 */
export function withSource(via: Via, { address, port }: { address: string; port: number }): Via {
  const { transport, host, port: sentBy, branch } = via;
  const asked = via.params.has('rport');
  if (!asked && !via.params.has('received') && (host === address || host === `[${address}]`)) return via;
  const params = new ParamList(via.params).set('received', address);
  if (asked) params.set('rport', `${port}`);
  return { transport, host, port: sentBy, branch, params };
}
