// The built-in SIP stack and media engine, as the configuration wants them.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { TelephoneMetrics } from '../api/http/telephone-metrics.ts';
import type { Config } from '../config/config.ts';
import { SIP_REALM } from '../domain/sip-password.ts';
import { errorCode } from '../kit/data-folder.ts';
import { derivedKey } from '../kit/sealing.ts';
import { readWav } from '../media/audio/wav.ts';
import { HeldPort } from '../media/webrtc/held-port.ts';
import { candidateAddresses } from '../media/webrtc/local-addresses.ts';
import type { PromptFiles } from '../recordings/prompt-files.ts';
import type { SpokenTexts } from '../recordings/spoken-texts.ts';
import { isOpenAddress, networkTest } from '../safe-fetch/network.ts';
import { ListenError, listenHost } from '../sip/transports/listen.ts';
import type { WebSocketSide } from '../sip/transports/websocket.ts';
import type { ServicePort } from '../telephony/builtin/access/media-targets.ts';
import type { BuiltinConfig } from '../telephony/builtin/config.ts';
import type { PlayableSound, Telephony, TelephonyReport, TelephonyUser } from '../telephony/telephony.ts';
import { cannotUse, StartError } from './start-error.ts';

/** RFC 8760 §2.4: the best first. MD5 alone is the default: PJSIP up to 2.10 and SIPp look at the first challenge only. */
const DIGESTS = { md5: ['MD5'], both: ['SHA-256', 'MD5'], sha256: ['SHA-256'] } as const;

export interface TelephonyParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly metrics: Pick<TelephoneMetrics, 'watchCapture'>;
  readonly prompts: string;
  readonly recordings: Pick<PromptFiles, 'forCall'>;
  readonly spoken: Pick<SpokenTexts, 'read'>;
  /** Where HTTP listens, as a URL. */
  readonly address: string;
  readonly isKnownAlive: () => boolean;
  /** The WebSockets of browsers, which the thread of the API has. */
  readonly webSockets: WebSocketSide;
}

/** Rejects with a StartError when an address or a certificate cannot be used. */
export async function openTelephony(parts: TelephonyParts, user: TelephonyUser): Promise<Telephony> {
  const { config, logger } = parts;
  const tls = tlsOf(config);
  const nonceKey = nonceKeyOf(config, logger);
  const { openBuiltin } = await import('../telephony/builtin/builtin.ts');
  try {
    const named = { host: config.sipHost, hostVariable: 'SIP_HOST' };
    const sipPort = { port: config.sipPort, portVariable: 'SIP_PORT' };
    // Resolved once: a name with several addresses must not put SIP and media on different ones.
    const host = await listenHost({ protocol: 'udp', ...sipPort, ...named });
    const at = { ...named, host };
    const sip = { ...sipPort, ...at };
    return await openBuiltin({
      listen: [
        { protocol: 'udp', ...sip },
        { protocol: 'tcp', ...sip },
        ...(tls ? [{ protocol: 'tls', port: tls.port, portVariable: 'SIP_TLS_PORT', ...at } as const] : []),
      ],
      ...(tls ? { tls } : {}),
      ...(await captureOf(parts)),
      advertisedAddress: config.advertisedAddress,
      ...(config.sipEdges.length > 0 ? { isEdge: networkTest(config.sipEdges) } : {}),
      ...(config.sipOutboundEdge ? { outboundEdge: config.sipOutboundEdge } : {}),
      ...(nonceKey ? { nonceKey } : {}),
      realm: SIP_REALM,
      digests: DIGESTS[config.sipDigest],
      isOpenAddress,
      media: mediaOf(config, host, logger),
      webrtc: await webrtcOf(config, host, logger),
      limits: config,
      user,
      readSound: (sound) => readSound(sound, parts),
      isKnownAlive: parts.isKnownAlive,
      webSockets: parts.webSockets,
      logger,
      servicePorts: [parts.address, config.databaseUrl ?? ''].flatMap(servicePort),
    });
  } catch (error) {
    throw error instanceof ListenError ? new StartError(error.message, { cause: error }) : error;
  }
}

/** Null if nonces are signed with a random key, so those of an earlier start count as wrong passwords. */
function nonceKeyOf(config: Config, logger: Logger): Uint8Array | null {
  try {
    return derivedKey(config, 'SIP nonces');
  } catch (err) {
    logger.warn({ err }, 'SECRET_KEY file cannot be used for SIP nonces');
    return null;
  }
}

/** What a URL names on this machine, or at a numeric address: media that is sent there would be noise to a service that we need. */
function servicePort(text: string): ServicePort[] {
  if (!URL.canParse(text)) return [];
  const { hostname, port, protocol } = new URL(text);
  const number = Number(port) || (protocol.startsWith('postgres') ? 5432 : 80);
  const host = hostname.replace(/^\[|\]$/g, '');
  const isHere = ['', 'localhost', '0.0.0.0', '::', '::1'].includes(host) || host.startsWith('127.');
  if (isHere) return [{ address: null, port: number }];
  return isIP(host) === 0 ? [] : [{ address: host, port: number }];
}

function mediaOf(config: Config, host: string, logger: Logger): BuiltinConfig['media'] {
  return {
    host,
    ports: config.rtpPorts,
    // One worker carries more than a thousand calls; a second one only where cores are to spare.
    workers: config.mediaWorkers || Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
    adapter: config.mediaSockets,
    realTime: config.mediaPriority === 'realtime',
    rtpTimeoutMs: config.rtpTimeoutSeconds * 1000,
    onFailure: (reason) => logger.error({ reason }, 'media worker ended; starting a new one'),
    onWarning: (reason) => logger.warn({ reason }, 'MEDIA_PRIORITY=realtime has no effect'),
  };
}

async function webrtcOf(config: Config, host: string, logger: Logger): Promise<BuiltinConfig['webrtc']> {
  const { webrtcPort, advertisedAddress } = config;
  if (webrtcPort === undefined) return undefined;
  const held = await holdWebrtcPort(config, webrtcPort, host, logger);
  return {
    host,
    ...held,
    addresses: candidateAddresses(host, advertisedAddress),
    onFailure: (reason) =>
      logger.error({ reason }, 'process of browser legs ended; the next call starts one'),
  };
}

/** One that was chosen is in a firewall: another would be silent. Where it is the default, a second service on the machine has it. */
async function holdWebrtcPort(
  { isWebrtcPortChosen }: Config,
  port: number,
  host: string,
  logger: Logger,
): Promise<{ readonly port: number; readonly held?: HeldPort }> {
  try {
    const held = await HeldPort.take(host, port);
    return { port: held.port, held };
  } catch (error) {
    if (errorCode(error) === 'EACCES') throw cannotUse(`WEBRTC_PORT ${port} of ${host}`, error);
    // No address of this machine: the SIP port, opened next, says so.
    if (errorCode(error) !== 'EADDRINUSE') return { port };
    if (isWebrtcPortChosen)
      throw new StartError(
        `UDP port ${port} of ${host} is taken by another program. Stop it, or set WEBRTC_PORT to a free port, 0 for any, or off.`,
        { cause: error },
      );
    const held = await HeldPort.take(host, 0);
    logger.warn(
      { taken: port, port: held.port },
      'another program has the default WEBRTC_PORT: browsers are heard at another; set WEBRTC_PORT to one of your own',
    );
    return { port: held.port, held };
  }
}

/** Loaded only where it is used. */
async function captureOf({ config: { hep, nodeId }, logger, metrics }: TelephonyParts) {
  if (!hep) return {};
  const { HepCapture } = await import('../sip/capture/hep.ts');
  const onFailure = (reason: string): void =>
    logger.warn({ reason }, 'HEP_URL cannot be resolved: SIP messages are not captured');
  const capture = new HepCapture({ ...hep, name: nodeId, onFailure });
  metrics.watchCapture(capture.counts);
  return { capture };
}

function tlsOf({ sipTlsPort: port, sipTlsCert, sipTlsKey }: Config) {
  if (port === undefined || sipTlsCert === undefined || sipTlsKey === undefined) return null;
  return {
    port,
    certificate: readPem('SIP_TLS_CERT', sipTlsCert),
    key: readPem('SIP_TLS_KEY', sipTlsKey),
  };
}

function readPem(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${variable} ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

type StoredSound = Exclude<PlayableSound, { kind: 'tone' }>;

/** As µ-law; null: there is no such sound, or none that can be played. */
async function readSound(sound: StoredSound, parts: TelephonyParts): Promise<Buffer | null> {
  const file = await fileOf(sound, parts);
  const audio = file && readWav(file);
  return audio === null || 'fault' in audio ? null : audio;
}

function fileOf(sound: StoredSound, { recordings, prompts, spoken }: TelephonyParts): Promise<Buffer | null> {
  switch (sound.kind) {
    case 'system':
      return readFile(join(prompts, `${sound.prompt}.wav`));
    case 'recording':
      return recordings.forCall(sound.sha256);
    case 'speech':
      return spoken.read(sound.id);
    default:
      return sound satisfies never;
  }
}

/** The port in use, also where the system chose it. */
export function udpPortOf(report: TelephonyReport | null | undefined): number | null {
  const udp = report?.listening.find((each) => each.startsWith('udp '));
  return udp === undefined ? null : Number(udp.slice(udp.lastIndexOf(':') + 1));
}
