// The built-in telephony in figures, and its registered phones, as the port describes them.
import type { MediaEngine } from '../../media/media.ts';
import type { Webrtc } from '../../media/webrtc/webrtc.ts';
import { peerOf } from '../../sip/transports/transport.ts';
import type { TrunkCounts } from '../ports/trunk.ts';
import type { PhoneBinding, TelephonyReport } from '../telephony.ts';
import type { Stack } from './stack.ts';

export function telephonyReport(
  { transports, transactions, registrar, guard }: Stack,
  { engine, webrtc }: { readonly engine: MediaEngine; readonly webrtc: Webrtc | null },
  legs: number,
  trunks: TrunkCounts,
): TelephonyReport {
  return {
    listening: transports.listening.map(
      ({ protocol, local }) => `${protocol} ${local.address}:${local.port}`,
    ),
    mediaAdapter: engine.adapter,
    legs,
    transactions: transactions.count,
    registrations: registrar.count,
    trunks,
    bans: guard.counts.floodBans + guard.counts.scannerBans + guard.counts.passwordBans,
    streams: engine.openStreams,
    readyStreams: engine.readyPairs,
    browserPort: webrtc && { port: webrtc.identity.port, isTaken: webrtc.isPortTaken },
  };
}

export function describePhones(stack: Stack, id: string): PhoneBinding[] {
  const nowMs = Date.now() - stack.timers.now();
  return stack.phonesOf(id).map(({ contact, userAgent, expiresAt, flow, reachable, answers }) => ({
    contact,
    userAgent,
    expiresAtMs: Math.round(nowMs + expiresAt),
    address: peerOf(flow).address,
    reachable,
    answers,
  }));
}
