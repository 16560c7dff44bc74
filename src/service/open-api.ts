// The API: HTTP, authentication, handlers, and what requests alone need. It meets the telephone side through TelephoneLink and storage.
import { join } from 'node:path';
import type { Logger } from 'pino';
import { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { OidcProvider } from '../api/account/oidc-provider.ts';
import { OperatorAccount } from '../api/account/operator.ts';
import { Passwords } from '../api/account/password.ts';
import { readNotice, type ShareSignIn, writeNotice } from '../api/account/sign-in-notices.ts';
import { SignIns } from '../api/account/sign-ins.ts';
import { UsedChallenges } from '../api/account/used-challenges.ts';
import { ButtonLimits } from '../api/calls/button-limits.ts';
import { LiveWatches } from '../api/calls/live-watch.ts';
import { PhoneSessions } from '../api/calls/phone-sessions.ts';
import { Access } from '../api/http/auth.ts';
import type { ExportCounts } from '../api/http/export-metrics.ts';
import type { ApiContext, Lifecycle } from '../api/http/handler.ts';
import { makeMetrics } from '../api/http/metrics.ts';
import { makeServer } from '../api/http/server.ts';
import { SipWebSockets } from '../api/http/sip-websocket.ts';
import { Turns } from '../api/http/turns.ts';
import { UnsentBytes } from '../api/http/unsent-bytes.ts';
import { clientAddressOf, serveUpgrades } from '../api/http/upgrades.ts';
import { ConsoleFiles } from '../api/pages/console-files.ts';
import { AgentLists } from '../api/records/agent-list.ts';
import { Quotas } from '../api/records/quotas.ts';
import type { CallControl, Machine } from '../calls/control/call-control.ts';
import { CallRecordings } from '../calls/records/call-recordings.ts';
import { ownSoundPart, type RecordedSoundParts } from '../calls/records/recorded-sound.ts';
import type { WebPhoneLink } from '../calls/web-phones.ts';
import { type Config, capabilitiesOf } from '../config/config.ts';
import type { Lane } from '../domain/outbox-job.ts';
import { FlowJobs } from '../flow-jobs/flow-jobs.ts';
import { DiskSpace } from '../kit/disk-space.ts';
import { inPackage } from '../kit/in-package.ts';
import { makeSealer } from '../kit/sealing.ts';
import { version } from '../kit/version.ts';
import { RecordingStore } from '../recordings/recording-store.ts';
import { hostTest } from '../safe-fetch/allowed-hosts.ts';
import { makeSafeFetch, type SafeFetch } from '../safe-fetch/safe-fetch.ts';
import { type StorageHooks, StoragePipeline } from '../storage/pipeline.ts';
import type { NodeIdentity } from '../storage/ports/nodes.ts';
import type { Storage } from '../storage/storage.ts';
import { FairReads } from './fair-reads.ts';
import { machineChecks } from './machine-checks.ts';
import { openNodes } from './open-nodes.ts';
import { openPrompts } from './open-prompts.ts';
import { openRecordedSound } from './open-sound-store.ts';
import { soundProgram, speechEngine } from './open-speech.ts';
import { openTracing } from './open-tracing.ts';
import type { Resources } from './resources.ts';
import { listenError } from './start-error.ts';
import { runningConfiguration } from './stored-variables.ts';
import { certificateOf } from './tls-certificate.ts';

/** What the API asks of the telephone side, beside storage. */
export interface TelephoneLink {
  /** Null if SIP is off. */
  callControl(): CallControl | null;
  readonly allowance: ApiContext['allowance'];
  readonly mayMail: ApiContext['mayMail'];
  /** To the API of the other nodes (api/account/sign-in-notices.ts). */
  shareSignIn(text: string): void;
  /** Takes the WebSockets of browsers. */
  readonly webPhones: WebPhoneLink;
  /** A job was added to this lane of the outbox. */
  wake(lane: Lane): void;
  /** Records that calls are routed by have been written. When it resolves, the next call gets them. */
  routesChanged(): Promise<void>;
  metrics(): Promise<string>;
  /** Rejects when its thread does not answer. */
  ping(): Promise<void>;
}

export interface ApiParts {
  readonly config: Config;
  readonly logger: Logger;
  readonly logLine: ((line: string) => void) | undefined;
  readonly storage: Storage;
  readonly telephone: TelephoneLink;
  /** Which one of several this process is. */
  readonly node: NodeIdentity;
  /** Where requests that are being answered are counted. */
  readonly running: { count: number };
}

export interface Api {
  readonly address: string;
  /** Requests that are being answered. */
  readonly running: { readonly count: number };
  /** Requests are refused until then. */
  run(): void;
  /** Requests are refused from now on, and responses without an end are ended. */
  drain(): void;
  /** Handles a notice about sign-ins that the API of another node has sent. */
  heardSignIn(text: string): void;
  /** Removes recording files that no record has pointed to for an hour. */
  sweepRecordings(nowMs: number): Promise<number>;
  closeServer(): Promise<void>;
}

/** Rejects with a StartError when the port or the address cannot be used. */
export async function openApi(parts: ApiParts, resources: Resources): Promise<Api> {
  const { config, logger, logLine } = parts;
  const tracing = await openTracing(config, parts.node.id, logger, resources);
  const unsent = new UnsentBytes();
  const safeFetch = resources.add(makeSafeFetch({ allow: config.outboundAllow }), (opened) => opened.close());
  const storage = new StoragePipeline(parts.storage, noticing(parts)).storage();
  const recordings = openRecordings(parts, storage, safeFetch, resources);
  const lifecycle: Lifecycle = { state: 'starting', endless: new Set() };
  const own = (): CallControl | null => parts.telephone.callControl();
  const soundPart = ownSoundPart(join(config.dataDir, 'captures'));
  const { dataDir: folder, reserveMb } = config;
  // The telephone side logs its changes.
  const disk = await DiskSpace.watch({ folder, reserveMb, changed: () => undefined });
  resources.add(disk, (each) => each.stop());
  const machine = ownMachine(parts, disk, own);
  const nodes = await openNodes({ ...parts, own, lifecycle, soundPart, machine }, resources);
  const { callControl, requests: nodeRequests, live, soundOf, machines } = nodes;
  const sound = { ...openRecordedSound(config, storage, resources), soundOf };
  const spans = tracing?.exporter.counts;
  const shared = { unsent, safeFetch, storage, recordings, lifecycle, callControl, machines, disk };
  const hooks = noticing(parts);
  const context = openContext({ ...parts, hooks }, { ...shared, live, sound, spans }, resources);
  const { access } = context;
  const server = makeServer({
    context,
    access,
    unsent,
    nodeRequests,
    nodes: live,
    logger,
    logLine,
    traced: tracing?.requestAnswered,
    ...config,
  });
  resources.add(server, () => server.close());
  const sipSockets = config.sip ? openSipWebSockets(parts, context) : null;
  if (sipSockets) resources.add(sipSockets, (opened) => opened.close());
  serveUpgrades(server.server, sipSockets, (err) => logger.error({ err }, 'WebSocket not opened'));
  const address = await server
    .listen({ port: config.port, host: config.host })
    .catch((error: unknown) => Promise.reject(listenError(error, config)));
  return {
    address,
    running: parts.running,
    run: () => {
      lifecycle.state = 'running';
    },
    drain: () => {
      lifecycle.state = 'draining';
      for (const end of lifecycle.endless) end();
    },
    heardSignIn: (text) => heardSignIn(context, text),
    sweepRecordings: (nowMs) => recordings.sweep(nowMs),
    closeServer: async () => {
      sipSockets?.close();
      await server.close();
    },
  };
}

export function openRecordings(
  { config, logger }: Pick<ApiParts, 'config' | 'logger'>,
  storage: Storage,
  { fetchSafely }: SafeFetch,
  resources: Resources,
): RecordingStore {
  const recordings = new RecordingStore({
    files: openPrompts(config, storage, logger),
    storage,
    fetchSafely,
    speech: speechEngine(config, fetchSafely),
    soundProgram: soundProgram(config),
    failed: (err) => logger.warn({ err }, 'recording file sweep failed; retrying later'),
  });
  return resources.add(recordings, (opened) => opened.close());
}

function heardSignIn({ node, signIns, usedChallenges, phoneSessions }: ApiContext, text: string): void {
  const notice = readNotice(node.id, text);
  if (notice?.what === 'challenge') usedChallenges.heard(notice.challenge, Date.now());
  else if (notice?.what === 'phone-session-ended') phoneSessions.heardEnd(notice, Date.now());
  else if (notice) signIns.heard(notice);
}

function ownMachine(
  { config, logger }: ApiParts,
  disk: DiskSpace,
  own: () => CallControl | null,
): () => Promise<Machine> {
  const certificate = certificateOf(config);
  const checks = machineChecks({
    config,
    report: async () => (await own()?.report()) ?? null,
    failed: (err) => logger.warn({ err }, 'checks of the machine failed; retrying later'),
  });
  return async () => {
    const { freeBytes, reserveBytes, isLow } = disk;
    const recordFailure = (await own()?.recordFailure()) ?? null;
    const found = await checks();
    return {
      recordFailure,
      disk: { freeBytes: Number.isNaN(freeBytes) ? null : freeBytes, reserveBytes, isLow },
      certificate: await certificate(),
      checks: found,
      clockMs: Date.now(),
    };
  };
}

function openSipWebSockets({ config, telephone }: ApiParts, context: ApiContext): SipWebSockets {
  const { phoneSessions: sessions, lifecycle, publicUrl } = context;
  const addressOf = clientAddressOf(config.trustedProxies);
  return new SipWebSockets({ sessions, link: telephone.webPhones, lifecycle, addressOf, publicUrl });
}

/** By these the telephone side learns of writes at once. */
const noticing = ({ config, telephone }: ApiParts): StorageHooks => ({
  wake: (lane) => telephone.wake(lane),
  routesChanged: config.sip ? () => telephone.routesChanged() : undefined,
});

interface Opened
  extends Pick<
    ApiContext,
    'safeFetch' | 'recordings' | 'storage' | 'lifecycle' | 'callControl' | 'machines' | 'disk'
  > {
  readonly unsent: UnsentBytes;
  readonly live: () => number;
  readonly sound: RecordedSoundParts;
  readonly spans: ExportCounts | undefined;
}

export interface ContextParts extends Pick<ApiParts, 'node' | 'config' | 'logger' | 'running' | 'storage'> {
  readonly telephone: Pick<TelephoneLink, 'allowance' | 'mayMail' | 'shareSignIn' | 'metrics' | 'ping'>;
  /** What follows a write of a request. */
  readonly hooks: StorageHooks;
}

/** What handlers need, over what is open already. */
export function openContext(
  parts: ContextParts,
  { unsent, disk, live, sound, spans, ...opened }: Opened,
  resources: Resources,
): ApiContext {
  const { node, config, logger, telephone, running } = parts;
  const { safeFetch, recordings, storage, lifecycle, callControl, machines } = opened;
  const snapshots = new AccountSnapshots(storage);
  const share: ShareSignIn = (notice) => telephone.shareSignIn(writeNotice(node.id, notice));
  const turns = new Turns();
  const pipeline = new StoragePipeline(parts.storage, {
    ...parts.hooks,
    turns: new FairReads(turns, unsent),
  });
  const fairStorage = pipeline.storage();
  const access = resources.add(new Access(storage), (each) => each.close());
  const sealer = makeSealer(config);
  return {
    pipeline,
    storage: fairStorage,
    turns,
    snapshots,
    flowJobs: resources.add(new FlowJobs({ storage: fairStorage }), (opened) => opened.close()),
    agentLists: new AgentLists(storage, snapshots),
    sealer,
    metrics: makeMetrics(telephone.metrics, running, spans),
    lifecycle,
    recordings,
    callRecordings: new CallRecordings({
      sound,
      storage,
      disk,
      failed: (err, what) => logger.warn({ err }, what),
    }),
    disk,
    quotas: new Quotas(storage),
    allowance: telephone.allowance,
    mayMail: telephone.mayMail,
    capabilities: capabilitiesOf(config),
    configuration: runningConfiguration(config),
    safeFetch,
    maySipHost: hostTest(config.sipAddressHosts),
    access,
    signIns: new SignIns(config, { nodes: live, share }),
    phoneSessions: new PhoneSessions(sealer, access, (ended) =>
      share({ what: 'phone-session-ended', ...ended }),
    ),
    buttonLimits: new ButtonLimits(config, live),
    passwords: new Passwords(),
    usedChallenges: new UsedChallenges((challenge) => share({ what: 'challenge', challenge })),
    oidc: config.oidc ? new OidcProvider(config.oidc, safeFetch) : null,
    operator: new OperatorAccount(storage),
    node: {
      id: node.id,
      version: version(),
      startedAtMs: Date.now(),
      isListed: config.databaseUrl !== undefined,
    },
    console: new ConsoleFiles(inPackage('dist/console/')),
    publicUrl: config.publicUrl ?? null,
    advertisedAddress: config.advertisedAddress ?? null,
    metricsToken: config.metricsToken,
    callControl,
    iceServers: config.iceServers,
    liveWatches: new LiveWatches(),
    machines,
    pingTelephones: () => telephone.ping(),
  };
}
