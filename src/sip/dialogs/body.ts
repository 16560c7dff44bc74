// The session description of a message.
import { headerOf, type SipMessage } from '../message.ts';
import { mediaType } from '../sanity.ts';

/** Null: none, or something that is no SDP. */
export function sdpOf(message: Pick<SipMessage, 'headers' | 'body'>): Buffer | null {
  if (message.body.length === 0) return null;
  const type = headerOf(message, 'content-type');
  return type === undefined || mediaType(type) === 'application/sdp' ? message.body : null;
}
