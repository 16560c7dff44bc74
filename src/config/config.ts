// Environment → one frozen Config. The only file that reads process.env.
import { resolve } from 'node:path';
import {
  SETTABLE_VARIABLES,
  type SettableVariable,
  type VariableValues,
} from '../domain/service-variable.ts';
import { type AllowedHosts, parseHosts } from '../safe-fetch/allowed-hosts.ts';
import { endpointIn, type Network, parseNetwork } from '../safe-fetch/network.ts';
import { HEP_URL_FORM, readHepUrl } from '../sip/capture/hep-url.ts';
import { readStorePlace, SOUND_STORE_FORM } from '../sound-store/place.ts';
import { HEADERS_FORM, readHeaders } from '../tracing/collector.ts';
import {
  COMMAND_FORM,
  type Command,
  isHttpUrl,
  isPostgresUrl,
  readCommand,
  withoutPassword,
} from './forms.ts';
import { type Environment, Reader, type VariableName } from './reader.ts';
import { faultIn, givenVariables, readSettable } from './settable.ts';
import { type ShownConfig, shownConfig, shownWith } from './shown.ts';
import { LOG_LEVELS } from './variables.ts';

const CLUSTER = ['auto', 'on', 'off'] as const;
export const NODE_ID = /^[a-z0-9-]{1,40}$/;

export const MEDIA_SOCKETS = ['auto', 'syscalls', 'dgram'] as const;
export const SIP_DIGESTS = ['md5', 'both', 'sha256'] as const;
export const MEDIA_PRIORITIES = ['normal', 'realtime'] as const;
const SECRET_KEY_BYTES = 32;
/** Two calls: a port each for RTP and RTCP. */
const MIN_RTP_PORTS = 4;

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

export type Config = Readonly<ReturnType<typeof configOf>> & {
  readonly shown: ShownConfig;
  /** The settable variables that the environment sets, as text. */
  readonly environment: VariableValues;
  /** Those that the database had at the start, and that the environment does not set. */
  readonly stored: VariableValues;
};

/** That of this process. */
export const ownEnvironment = (): Environment => process.env;

/** The configuration, or one line per variable that cannot be used. */
export function readConfig(environment: Environment = process.env): Config | { faults: string[] } {
  const read = new Reader(environment);
  const config = Object.freeze({
    ...configOf(read),
    shown: shownConfig(environment),
    environment: givenVariables(environment),
    stored: {},
  });
  return read.faults.length > 0 ? { faults: read.faults } : config;
}

export interface CompletedConfig {
  readonly config: Config;
  /** Stored values that this version cannot use: they are left out. */
  readonly unusable: readonly SettableVariable[];
}

/** What the environment leaves open gets the stored value. */
export function completeConfig(config: Config, stored: VariableValues): CompletedConfig {
  const { environment } = config;
  const open = SETTABLE_VARIABLES.filter((name) => environment[name] === undefined);
  const unusable: SettableVariable[] = [];
  const used: Partial<Record<SettableVariable, string>> = {};
  for (const name of open) {
    const value = stored[name];
    if (value === undefined) continue;
    if (faultIn(name, value) === null) used[name] = value;
    else unusable.push(name);
  }
  const read = readSettable(new Reader({ ...used, ...environment }));
  const shown = shownWith(config.shown, environment, used);
  return { config: Object.freeze({ ...config, ...read, shown, stored: used }), unusable };
}

function configOf(read: Reader) {
  const databaseUrl = read.given('DATABASE_URL') || undefined;
  if (databaseUrl && !isPostgresUrl(databaseUrl)) {
    read.refuse(
      'DATABASE_URL',
      'of the form postgres://user:password@host:5432/database',
      `"${withoutPassword(databaseUrl)}"`,
    );
  }
  const accessToken = read.given('ACCESS_TOKEN') || undefined;
  if (accessToken && !/^[\x21-\x7e]{16,256}$/.test(accessToken)) {
    read.refuse(
      'ACCESS_TOKEN',
      '16 to 256 visible ASCII characters without spaces',
      `${accessToken.length} characters long or holds others`,
    );
  }
  return {
    port: read.whole('PORT', 0, 65_535),
    host: read.host('HOST'),
    dataDir: resolve(read.given('DATA_DIR')),
    databaseUrl,
    ...node(read, databaseUrl),
    reserveMb: read.given('RESERVE_MB') === 'auto' ? null : read.whole('RESERVE_MB', 0, 1_000_000),
    ...recordedSound(read),
    accessToken,
    demo: read.onOff('DEMO'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS),
    drainSeconds: read.whole('DRAIN_SECONDS', 0, 3600),
    rateLimit: read.whole('RATE_LIMIT', 0, 1_000_000),
    rateLimitLoopback: read.onOff('RATE_LIMIT_LOOPBACK'),
    maxConnections: read.whole('MAX_CONNECTIONS', 1, 1_000_000),
    metricsToken: metricsToken(read),
    ...telephony(read),
    hep: capture(read),
    traces: traces(read),
    trustedProxies: proxies(read),
    outboundAllow: networks(read, 'OUTBOUND_ALLOW'),
    ttsCommand: read.given('TTS_COMMAND') === 'off' ? undefined : read.given('TTS_COMMAND'),
    soundCommand: soundCommand(read),
    tts: httpTts(read),
    oidc: oidc(read),
    ...readSettable(read),
    remoteUrl: remoteUrl(read),
    remoteToken: read.given('DIALTREE_TOKEN') || undefined,
  };
}

/** Never shown, not even a wrong one. */
function metricsToken(read: Reader): string | null {
  const given = read.given('METRICS_TOKEN');
  if (given !== '' && !/^[\x21-\x7e]{16,512}$/.test(given))
    read.refuse('METRICS_TOKEN', '16 to 512 characters without spaces', `${given.length} characters long`);
  return given || null;
}

function node(read: Reader, databaseUrl: string | undefined) {
  const nodeId = read.given('NODE_ID') || undefined;
  if (nodeId !== undefined && !NODE_ID.test(nodeId))
    read.refuse('NODE_ID', '1 to 40 characters of a-z, 0-9 and -');
  const nodeUrl = read.given('NODE_URL') || undefined;
  if (nodeUrl !== undefined && !isHttpUrl(nodeUrl))
    read.refuse('NODE_URL', 'an address such as http://10.0.0.5:8080');
  const cluster = read.oneOf('CLUSTER', CLUSTER);
  if (cluster === 'on' && databaseUrl === undefined)
    read.refuse('CLUSTER', 'off or auto without DATABASE_URL: an embedded database serves one process');
  return { nodeId, nodeUrl, cluster: databaseUrl !== undefined && cluster !== 'off' };
}

function telephony(read: Reader) {
  const tlsOff = read.given('SIP_TLS_PORT') === '';
  const file = (name: 'SIP_TLS_CERT' | 'SIP_TLS_KEY'): string | undefined => {
    const path = read.given(name);
    if (path === '' && !tlsOff)
      read.refuse(name, 'the path of a PEM file, since SIP_TLS_PORT is set', 'empty');
    return path === '' ? undefined : resolve(path);
  };
  const sipEdges = networks(read, 'SIP_EDGES');
  const sipOutboundEdge = endpointIn(read.given('SIP_OUTBOUND_EDGE'), sipEdges);
  if (sipOutboundEdge === null) read.refuse('SIP_OUTBOUND_EDGE', 'an address of SIP_EDGES and its port');
  return {
    sip: read.onOff('SIP'),
    sipHost: read.host('SIP_HOST'),
    sipPort: read.whole('SIP_PORT', 0, 65_535),
    sipTlsPort: tlsOff ? undefined : read.whole('SIP_TLS_PORT', 0, 65_535),
    sipTlsCert: file('SIP_TLS_CERT'),
    sipTlsKey: file('SIP_TLS_KEY'),
    sipEdges,
    sipOutboundEdge,
    rtpPorts: portRange(read, 'RTP_PORTS'),
    iceServers: iceServers(read),
    isWebrtcPortChosen: read.isChosen('WEBRTC_PORT'),
    webrtcPort: read.given('WEBRTC_PORT') === 'off' ? undefined : read.whole('WEBRTC_PORT', 0, 65_535),
    mediaWorkers: read.whole('MEDIA_WORKERS', 0, 64),
    mediaSockets: read.oneOf('MEDIA_SOCKETS', MEDIA_SOCKETS),
    mediaPriority: read.oneOf('MEDIA_PRIORITY', MEDIA_PRIORITIES),
    sipDigest: read.oneOf('SIP_DIGEST', SIP_DIGESTS),
    maxCalls: read.whole('MAX_CALLS', 1, 100_000),
    maxCallsPerSecond: read.whole('MAX_CALLS_PER_SECOND', 0, 100_000),
    rtpTimeoutSeconds: read.whole('RTP_TIMEOUT_SECONDS', 5, 3600),
    secretKey: secretKey(read),
    sipAddressHosts: sipAddressHosts(read),
  };
}

function recordedSound(read: Reader) {
  const given = read.given('SOUND_STORE');
  const soundStore = given === '' ? undefined : (readStorePlace(given) ?? undefined);
  if (given !== '' && !soundStore) read.refuse('SOUND_STORE', SOUND_STORE_FORM);
  const region = read.given('S3_REGION');
  const endpoint = read.given('S3_ENDPOINT') || `https://s3.${region}.amazonaws.com`;
  if (!isHttpUrl(endpoint)) read.refuse('S3_ENDPOINT', 'an address such as https://s3.example.com');
  if (!/^[a-z0-9-]{1,40}$/.test(region)) read.refuse('S3_REGION', 'a region such as us-east-1');
  const keys = {
    accessKeyId: read.given('S3_ACCESS_KEY_ID'),
    secretAccessKey: read.given('S3_SECRET_ACCESS_KEY'),
  };
  for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
    if (soundStore?.kind === 's3' && read.given(name) === '')
      read.refuse(name, 'set, since SOUND_STORE names a bucket', 'empty');
  // Kept without SOUND_STORE, too: recordings that are in a bucket stay there.
  const s3 = keys.accessKeyId === '' ? undefined : { endpoint, region, ...keys };
  return { soundStore, s3 };
}

function capture(read: Reader) {
  const url = read.given('HEP_URL');
  const target = readHepUrl(url);
  if (url !== '' && !target) read.refuse('HEP_URL', HEP_URL_FORM);
  const id = read.whole('HEP_ID', 0, 999_999_999);
  return target ? { ...target, id, password: read.given('HEP_PASSWORD') || undefined } : undefined;
}

function traces(read: Reader) {
  const name = 'OTEL_EXPORTER_OTLP_ENDPOINT';
  const endpoint = read.given(name);
  if (endpoint !== '' && !isHttpUrl(endpoint)) read.refuse(name, 'an address such as http://collector:4318');
  const headers = readHeaders(read.given('OTEL_EXPORTER_OTLP_HEADERS'));
  // Never shown: a header may be a password.
  if (!headers) read.refuse('OTEL_EXPORTER_OTLP_HEADERS', HEADERS_FORM, 'of another form');
  const ratio = Number(read.given('OTEL_TRACES_SAMPLER_ARG'));
  if (!(ratio >= 0 && ratio <= 1)) read.refuse('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1');
  const collector = { endpoint, headers: headers ?? {}, serviceName: read.given('OTEL_SERVICE_NAME'), ratio };
  return endpoint === '' ? undefined : collector;
}

function remoteUrl(read: Reader): string | undefined {
  const given = read.given('DIALTREE_URL');
  if (given === '' || isHttpUrl(given)) return given || undefined;
  read.refuse('DIALTREE_URL', 'an address such as https://phones.example.com');
  return undefined;
}

function portRange(read: Reader, name: VariableName): PortRange {
  const [, from, to] = /^(\d{1,5})\s*-\s*(\d{1,5})$/.exec(read.given(name)) ?? [];
  const range = { from: Number(from ?? Number.NaN), to: Number(to ?? Number.NaN) };
  if (range.from >= 1 && range.to <= 65_535 && range.to - range.from + 1 >= MIN_RTP_PORTS) return range;
  read.refuse(name, `two ports from-to, within 1 to 65535 and with at least ${MIN_RTP_PORTS} ports`);
  return { from: 0, to: 0 };
}

/** As they were given: Fastify reads them itself. */
function proxies(read: Reader): string[] {
  networks(read, 'TRUSTED_PROXIES');
  return read
    .given('TRUSTED_PROXIES')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}

function networks(read: Reader, name: VariableName): readonly Network[] {
  const given = read.given(name);
  const found = given === '' ? [] : given.split(',').map((text) => parseNetwork(text.trim()));
  const networks = found.filter((network) => network !== null);
  if (networks.length < found.length)
    read.refuse(name, 'addresses or CIDR networks with commas between them, such as 10.1.0.0/16,::1');
  return networks;
}

function iceServers(read: Reader) {
  const given = read.given('ICE_SERVERS');
  const urls = given === '' ? [] : given.split(',').map((text) => text.trim());
  if (!urls.every((url) => /^(?:stuns?|turns?):[^\s]+$/.test(url)))
    read.refuse('ICE_SERVERS', 'addresses with commas between them, such as stun:stun.example.org:3478');
  const turnSecret = read.given('TURN_SECRET') || null;
  if (turnSecret === null && urls.some((url) => url.startsWith('turn')))
    read.refuse('TURN_SECRET', "the TURN servers' secret, since ICE_SERVERS has some", 'empty');
  return { urls, turnSecret };
}

function sipAddressHosts(read: Reader): AllowedHosts {
  const hosts = parseHosts(read.given('SIP_ADDRESS_HOSTS'));
  if (hosts === null)
    read.refuse(
      'SIP_ADDRESS_HOSTS',
      'names, addresses and networks with commas between them, such as pbx.example.com,*.voice.example.com,10.1.0.0/16',
    );
  return hosts ?? { names: [], networks: [] };
}

function soundCommand(read: Reader): Command | undefined {
  const given = read.given('SOUND_COMMAND');
  const command = given === '' ? null : readCommand(given);
  if (given !== '' && !command) read.refuse('SOUND_COMMAND', COMMAND_FORM);
  return command ?? undefined;
}

function httpTts(read: Reader) {
  const url = read.given('TTS_URL');
  if (url === '') return undefined;
  if (!isHttpUrl(url)) read.refuse('TTS_URL', 'of the form https://speech.example.com/v1/audio/speech');
  const key = read.given('TTS_KEY') || undefined;
  const voice = read.given('TTS_VOICE') || undefined;
  return { url, key, voice, model: read.given('TTS_MODEL') };
}

function oidc(read: Reader) {
  const issuer = read.given('OIDC_ISSUER');
  if (issuer === '') return undefined;
  const isUrl = URL.canParse(issuer) && /^https?:$/.test(new URL(issuer).protocol);
  if (!isUrl) read.refuse('OIDC_ISSUER', 'of the form https://login.example.com');
  const clientId = read.given('OIDC_CLIENT_ID');
  if (clientId === '')
    read.refuse('OIDC_CLIENT_ID', 'the id of this service at the provider, with OIDC_ISSUER');
  return { issuer, clientId, clientSecret: read.given('OIDC_CLIENT_SECRET'), name: read.given('OIDC_NAME') };
}

/** Never shown, not even a wrong one: it may be the right one with a character too many. */
function secretKey(read: Reader): Uint8Array | undefined {
  const text = read.given('SECRET_KEY');
  if (text === '') return undefined;
  const hex = /^[0-9a-fA-F]{64}$/.test(text);
  const key = Buffer.from(text, hex ? 'hex' : 'base64');
  if (key.length === SECRET_KEY_BYTES && (hex || /^[A-Za-z0-9+/_-]{43}=?$/.test(text)))
    return new Uint8Array(key);
  read.refuse('SECRET_KEY', '32 bytes: 64 hexadecimal digits, or base64', `${text.length} characters long`);
  return undefined;
}

/** Whether to print in colour: on a terminal that shows it, unless NO_COLOR (no-color.org) asks for none. */
export function wantsColour(isTerminal: boolean, environment: Environment = process.env): boolean {
  return isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
}

/** Whether an unexpected error of a command is printed with its stack. */
export function wantsStack(environment: Environment = process.env): boolean {
  return ['1', 'true', 'on'].includes(environment['DEBUG'] ?? '');
}

/** What a program that we start may know of our environment, which is full of secrets: where to find things, and how to speak. */
export function programEnvironment(environment: Environment = process.env): Environment {
  const isHarmless = ([name]: [string, unknown]): boolean =>
    /^(PATH|HOME|LANG|LANGUAGE|TMPDIR|TMP|TEMP|LD_LIBRARY_PATH|ESPEAK_DATA_PATH)$/i.test(name) ||
    /^LC_/i.test(name) ||
    // Nothing starts without these on Windows, which spells names as it likes.
    /^(SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERPROFILE)$/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(isHarmless));
}

/** The part of the environment that says where programs are found: for a program that reads strangers' files. */
export function pathEnvironment(environment: Environment = process.env): Environment {
  const isPath = ([name]: [string, unknown]): boolean =>
    /^(PATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT)$/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(isPath));
}

/** What the configuration makes the service able to do. */
export function capabilitiesOf({ sms, smtpUrl, ttsCommand, tts }: Config) {
  const speech = ttsCommand !== undefined || tts !== undefined;
  return { sms: Boolean(sms), email: smtpUrl !== undefined, speech };
}
