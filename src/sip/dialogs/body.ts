// The session description of a message.
import { headerOf, type SipMessage } from '../message.ts';
import { sdpPart } from '../multipart.ts';
import { mediaType } from '../sanity.ts';

/** Null if there is none, or something that is no SDP. */
export function sdpOf(message: Pick<SipMessage, 'headers' | 'body'>): Buffer | null {
  if (message.body.length === 0) return null;
  const type = headerOf(message, 'content-type');
  if (type === undefined) return message.body;
  const kind = mediaType(type);
  if (kind === 'application/sdp') return message.body;
  return kind.startsWith('multipart/') ? sdpPart(message.body, type) : null;
}
