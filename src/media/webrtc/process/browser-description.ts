// The browser as libdatachannel sees it: an offer of one audio line, made from what was agreed on. The browser's own SDP never gets to
// the native parser, and none of its candidates: ours are checked by the browser, and its address is the source of checks that carry
// our password. So a browser cannot make us send anything to a third host.
import type { PeerIce, RtpFormat } from '../webrtc.ts';

/** The library's side is always the answer; an offer that is actpass it answers as active. */
export function browserDescription(peer: PeerIce, formats: readonly RtpFormat[]): string {
  const setup = peer.setup === 'passive' ? 'passive' : 'active';
  return [
    'v=0',
    'o=- 1 1 IN IP4 0.0.0.0',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    `m=audio 9 UDP/TLS/RTP/SAVPF ${formats.map(([payloadType]) => payloadType).join(' ')}`,
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    `a=ice-ufrag:${peer.ufrag}`,
    `a=ice-pwd:${peer.pwd}`,
    `a=fingerprint:${peer.fingerprint}`,
    `a=setup:${setup}`,
    // The library passes packets of other payload types on all the same: what of them is read is the stream's decision.
    ...formats.map(([payloadType, rtpmap]) => `a=rtpmap:${payloadType} ${rtpmap}`),
    '',
  ].join('\r\n');
}
