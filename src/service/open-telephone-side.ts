// The telephone side: SIP and calls, what leaves the service by the outbox, and what is removed by age.
import type { Logger } from 'pino';
import { AccountSnapshots } from '../accounts/account-snapshots.ts';
import { makeTelephoneMetrics, type TelephoneMetrics } from '../api/http/telephone-metrics.ts';
import { CallService } from '../calls/call-service.ts';
import { CallRecordings } from '../calls/records/call-recordings.ts';
import type { Config } from '../config/config.ts';
import { DEFAULT_SETTINGS } from '../domain/account.ts';
import type { Sealer } from '../domain/sealer.ts';
import { wordsOf } from '../domain/words/words.ts';
import { clockWith, systemClock } from '../kit/clock.ts';
import { DiskSpace, type DiskSpaceParts } from '../kit/disk-space.ts';
import { inPackage } from '../kit/in-package.ts';
import { makeSealer } from '../kit/sealing.ts';
import { version } from '../kit/version.ts';
import { probeNode } from '../nodes/node-probe.ts';
import type { EventOutbox } from '../notifications/event-outbox.ts';
import { Outbox } from '../outbox/outbox.ts';
import { makeSafeFetch } from '../safe-fetch/safe-fetch.ts';
import { type Allowance, MINUTE_MS } from '../sharing/ports/allowance.ts';
import { TimerWheel } from '../sip/timers.ts';
import type { WebSocketSide } from '../sip/transports/websocket.ts';
import { StoragePipeline } from '../storage/pipeline.ts';
import type { NodeIdentity } from '../storage/ports/nodes.ts';
import type { Storage } from '../storage/storage.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { ClusterNode } from './cluster-node.ts';
import { nodeUrl } from './node-identity.ts';
import { openBots } from './open-bots.ts';
import { lockOtherNode } from './open-data-folder.ts';
import { type MayMail, mailLimits, makeEventOutbox, serveLanes } from './open-deliveries.ts';
import { makeFlowRequests } from './open-flow-requests.ts';
import { openNotifications } from './open-notifications.ts';
import { openPrompts } from './open-prompts.ts';
import { openSharing, type Sharing } from './open-sharing.ts';
import { makeSipAddresses } from './open-sip-addresses.ts';
import { openRecordedSound } from './open-sound-store.ts';
import { callSpeech, openSpokenTexts } from './open-speech.ts';
import { openTelephony } from './open-telephony.ts';
import { openTracing } from './open-tracing.ts';
import type { Resources } from './resources.ts';
import { type SweepParts, startSweeps, sweepsDatabase, sweepsOf } from './sweeps.ts';

export interface TelephoneCoreParts {
  readonly node: NodeIdentity;
  /** The run of a process with this node id that was killed. */
  readonly formerRun: string | null;
  readonly config: Config;
  readonly logger: Logger;
  readonly storage: Storage;
  /** Writes of the API to what calls are routed by. */
  readonly writtenElsewhere: () => number;
  /** The WebSockets of browsers, which the thread of the API has. */
  readonly webSockets: WebSocketSide;
}

/** What is open before the first port is. */
export interface TelephoneCore {
  readonly node: NodeIdentity;
  readonly config: Config;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly sharing: Sharing;
  readonly sealer: Sealer;
  readonly metrics: TelephoneMetrics;
  /** Undefined: no traces are wanted. */
  readonly tracing: Tracing | undefined;
  readonly callRecordings: CallRecordings;
  readonly writtenElsewhere: () => number;
  readonly webSockets: WebSocketSide;
  /** SMS of an account, by calls and by the API. */
  readonly allowance: Allowance;
  readonly outbox: Outbox;
  readonly eventOutbox: EventOutbox;
  readonly mayMail: MayMail;
  readonly disk: DiskSpace;
  /** Set while it opens; null: SIP is off. */
  callService: CallService | null;
  /** This node among the others; null: it is alone, or has not joined yet. */
  cluster: ClusterNode | null;
}

export async function openTelephoneCore(
  { node, config, logger, storage: plain, writtenElsewhere, webSockets }: TelephoneCoreParts,
  resources: Resources,
): Promise<TelephoneCore> {
  const tracing = await openTracing(config, node.id, logger, resources);
  const sharing = resources.add(await openSharing(config, node.id, logger), (opened) => opened.close());
  const metrics = makeTelephoneMetrics(version());
  if (tracing) metrics.watchTraces(tracing.exporter.counts);
  const disk = resources.add(await DiskSpace.watch(diskParts(config, logger)), (opened) => opened.stop());
  metrics.watchDisk(disk);
  const outbox = new Outbox({
    storage: plain,
    clock: systemClock,
    failed: (err) => logger.warn({ err }, 'outbox: database unavailable; retrying'),
    settled: metrics.jobSettled,
  });
  metrics.watchOutbox(plain);
  const storage = new StoragePipeline(plain, {
    wake: (lane) => outbox.wake(lane),
    routesChanged: config.sip ? () => core.callService?.control.touch() : undefined,
  }).storage();
  const mayMail = mailLimits(config, sharing.allowance, logger, () =>
    metrics.jobSettled('email', 'over-limit'),
  );
  const eventOutbox = makeEventOutbox(
    config,
    storage,
    logger,
    (id) => core.callService?.routes.account(id)?.webhooks ?? [],
    (id) => wordsOf(core.callService?.routes.account(id)?.settings ?? DEFAULT_SETTINGS),
    mayMail,
  );
  resources.add(eventOutbox, async (opened) => {
    await opened.flush();
    opened.close();
  });
  const core: TelephoneCore = {
    node,
    config,
    logger,
    storage,
    sharing,
    sealer: makeSealer(config),
    metrics,
    tracing,
    callRecordings: new CallRecordings({
      sound: openRecordedSound(config, storage, resources),
      storage,
      disk,
      failed: (err, what) => logger.warn({ err }, what),
    }),
    allowance: sharing.allowance({ name: 'sms', most: config.smsPerMinute, periodMs: MINUTE_MS }),
    writtenElsewhere,
    webSockets,
    outbox,
    eventOutbox,
    mayMail,
    disk,
    callService: null,
    cluster: null,
  };
  return core;
}

function diskParts({ dataDir, reserveMb }: Config, logger: Logger): DiskSpaceParts {
  return {
    folder: dataDir,
    reserveMb,
    changed: (isLow, freeBytes, reserveBytes) => {
      const facts = { freeBytes, reserveBytes };
      if (isLow)
        logger.error(
          facts,
          'free space is below RESERVE_MB: calls and voicemail are not recorded; free some',
        );
      else logger.info(facts, 'free space is above RESERVE_MB again: calls and voicemail are recorded');
    },
  };
}

/** `address`: where HTTP listens, as a URL. */
export async function openCallService(
  core: TelephoneCore,
  address: string,
  resources: Resources,
): Promise<void> {
  const { config, logger, storage, eventOutbox, metrics, sharing } = core;
  const timers = new TimerWheel(
    (err) => logger.error({ err }, 'call timer callback failed'),
    undefined,
    Infinity,
  );
  resources.add(timers, () => timers.close());
  const recordings = openPrompts(config, storage, logger);
  const clock = clockWith(timers);
  const safeFetch = resources.add(makeSafeFetch({ allow: config.outboundAllow }), (opened) => opened.close());
  const spoken = openSpokenTexts(config, safeFetch.fetchSafely, logger, resources);
  const bots = resources.add(
    openBots({
      allow: config.outboundAllow,
      sealer: core.sealer,
      clock,
      logger,
      traceparentOfCall: core.tracing?.traceparentOfCall,
    }),
    (opened) => opened.close(),
  );
  const callService = await CallService.open({
    storage,
    snapshots: new AccountSnapshots(storage),
    sealer: core.sealer,
    logger,
    clock,
    agents: core.sharing.openAgents(clock),
    callRecordings: core.callRecordings,
    allowance: core.allowance,
    slots: sharing.slots,
    counts: sharing.counts,
    ...(config.cluster ? sharedBy(core) : {}),
    openTelephony: (user) =>
      openTelephony(
        {
          config,
          logger,
          metrics,
          address,
          prompts: inPackage('assets/prompts/'),
          recordings,
          webSockets: core.webSockets,
          spoken,
          isKnownAlive: () => core.cluster?.isKnownAlive ?? true,
        },
        user,
      ),
    flowRequests: makeFlowRequests({
      fetchSafely: safeFetch.fetchSafely,
      sealer: core.sealer,
      clock,
      traceparentOfCall: core.tracing?.traceparentOfCall,
    }),
    sipAddresses: makeSipAddresses(config.sipAddressHosts, core.sealer),
    speech: callSpeech(spoken),
    bots,
    soundsChanged: (sha256s) => recordings.prefetch(sha256s),
    counted: core.tracing?.counting(metrics) ?? metrics,
    journal: {
      folder: config.dataDir,
      node: core.node.id,
      lockNode: (node) => lockOtherNode(config, node),
    },
    ...(config.cluster ? { shared: core.node } : {}),
    ends: eventOutbox,
    writtenElsewhere: core.writtenElsewhere,
    routesLoaded: (opened) => {
      core.callService = opened;
      // Without webhooks no event of the account is built, except those that send e-mail.
      opened.callEvents.subscribe(
        eventOutbox.publish,
        (id, type) => type === 'voicemail.received' || (opened.routes.account(id)?.webhooks.length ?? 0) > 0,
      );
    },
  });
  resources.add(callService, (opened) => opened.close());
  sharing.whenNodeDied((node) => callService.nodeDied(node));
  metrics.watchCalls(callService.control);
}

const sharedBy = ({ node, sharing }: TelephoneCore) => ({
  sharing: { node: node.id, notices: sharing.notices },
  // Each account has its own limit.
  clicks: sharing.allowance({ name: 'clicks to call', most: 0, periodMs: MINUTE_MS }),
});

/** After HTTP listens and before the first call. Null: the embedded database has one node. */
export async function joinCluster(
  core: TelephoneCore,
  formerRun: string | null,
  address: string,
  resources: Resources,
): Promise<ClusterNode | null> {
  const { node, config, logger, storage, sharing } = core;
  if (config.databaseUrl === undefined) return null;
  const url = nodeUrl(config, Number(new URL(address).port));
  const { cluster, maxCalls } = config;
  const joined = await ClusterNode.join(
    {
      node,
      formerRun,
      url,
      version: version(),
      cluster,
      maxCalls,
      storage,
      logger,
      sharing,
      probe: probeNode,
    },
    () => core.callService,
    // As an operator would end it: its calls go on for a while.
    () => process.kill(process.pid, 'SIGTERM'),
  );
  core.cluster = joined;
  return resources.add(joined, (opened) => opened.leave());
}

/** Returns what lets the jobs under way finish. */
export async function openJobs(
  core: TelephoneCore,
  recordings: SweepParts['recordings'],
  resources: Resources,
): Promise<(leftMs: number) => Promise<void>> {
  const { config, logger, storage, outbox, sealer, callRecordings } = core;
  const safeFetch = resources.add(makeSafeFetch({ allow: config.outboundAllow }), (opened) => opened.close());
  const { smsSettled } = core.metrics;
  const traceparentOfCall = core.tracing?.traceparentOfCall;
  const lanes = { config, storage, sealer, logger, safeFetch, smsSettled, traceparentOfCall };
  const gateway = await serveLanes(outbox, lanes);
  resources.add(gateway, (opened) => opened?.close());
  const one = { cluster: config.cluster, node: core.node.id };
  const sweeps = sweepsOf({
    storage,
    recordings,
    callRecordings,
    logger,
    canMail: config.smtpUrl !== undefined,
  });
  const stopSweeps = startSweeps(sweeps, logger, () => sweepsDatabase(storage, one));
  resources.add(stopSweeps, (stop) => stop());
  openNotifications(core, resources);
  // Every lane has its handler by now.
  outbox.start();
  let drained = false;
  // For a start that fails later; a drain has its own time for it, which must not be spent twice.
  resources.add(outbox, (opened) => (drained ? undefined : opened.drain(0)));
  return async (leftMs) => {
    stopSweeps();
    drained = true;
    await outbox.drain(leftMs);
    await gateway?.close();
  };
}
