// The built-in telephony in figures, and its registered phones, as the port describes them.
import { peerOf } from '../../sip/transports/transport.ts';
import type { PhoneBinding, TelephonyReport } from '../telephony.ts';
import type { BuiltinEnvironment } from './environment.ts';

export function telephonyReport(env: BuiltinEnvironment): TelephonyReport {
  const { transports, transactions, phones, guard, legs, trunks, trunkLinks } = env;
  const { engine, webrtc } = env.media;
  return {
    listening: transports.listening.map(
      ({ protocol, local }) => `${protocol} ${local.address}:${local.port}`,
    ),
    mediaAdapter: engine.adapter,
    legs: legs.size,
    transactions: transactions.count,
    registrations: phones.registrar.count,
    trunks: trunkLinks.countsOf(trunks.count),
    bans: guard.counts.floodBans + guard.counts.scannerBans + guard.counts.passwordBans,
    streams: engine.openStreams,
    readyStreams: engine.readyPairs,
    browserPort: webrtc && { port: webrtc.identity.port, isTaken: webrtc.isPortTaken },
  };
}

export function describePhones({ timers, phones }: BuiltinEnvironment, id: string): PhoneBinding[] {
  const nowMs = Date.now() - timers.now();
  return phones.of(id).map(({ contact, userAgent, expiresAt, flow, reachable, answers }) => ({
    contact,
    userAgent,
    expiresAtMs: Math.round(nowMs + expiresAt),
    address: peerOf(flow).address,
    reachable,
    answers,
  }));
}
