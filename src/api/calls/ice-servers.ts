// GET /v1/ice_servers: what a browser phone connects by.
import type { Handler } from '../http/handler.ts';
import { iceServersFor } from './turn-credentials.ts';

/** As `iceServers` of an RTCPeerConnection takes them. */
export const getIceServers: Handler = (request, { iceServers }) => {
  const { servers, expiresAtMs } = iceServersFor(iceServers, request.account.id, request.nowMs);
  const json = { ice_servers: servers, expires_at: new Date(expiresAtMs).toISOString() };
  return { status: 200, headers: { 'cache-control': 'no-store' }, json };
};
