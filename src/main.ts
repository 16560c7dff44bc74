// Puts the service together: opens the log, storage, HTTP, telephony and deliveries, and drains them at the end. With
// service/ the only code that names adapters. Loaded by `dialtree serve` alone: other commands need little of it.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { AccountSnapshots } from './accounts/account-snapshots.ts';
import { SignIns } from './api/account/sign-ins.ts';
import { Access } from './api/http/auth.ts';
import type { ApiContext, Lifecycle } from './api/http/handler.ts';
import { makeMetrics } from './api/http/metrics.ts';
import { makeServer } from './api/http/server.ts';
import { Turns } from './api/http/turns.ts';
import { UnsentBytes } from './api/http/unsent-bytes.ts';
import { ConsoleFiles } from './api/pages/console-files.ts';
import { AgentLists } from './api/records/agent-list.ts';
import { Quotas } from './api/records/quotas.ts';
import { Allowance } from './calls/allowance.ts';
import { CallService } from './calls/call-service.ts';
import { NO_QUEUE } from './calls/queues/queue-view.ts';
import { CallRecordings } from './calls/records/call-recordings.ts';
import { clockWith, systemClock } from './clock.ts';
import { type Config, capabilitiesOf, programEnvironment } from './config.ts';
import { DiskSpace, type DiskSpaceParts } from './disk-space.ts';
import { firstStart, type Output } from './first-start.ts';
import { FlowJobs } from './flow-jobs/flow-jobs.ts';
import { makeLog } from './log.ts';
import type { EventOutbox } from './notifications/event-outbox.ts';
import { Outbox } from './outbox/outbox.ts';
import { RecordingStore } from './recordings/recording-store.ts';
import { espeak, noSpeech } from './recordings/speech.ts';
import { makeSafeFetch } from './safe-fetch/safe-fetch.ts';
import { makeSealer } from './sealing.ts';
import { fairReads } from './service/fair-reads.ts';
import { lockDataFolder } from './service/open-data-folder.ts';
import { makeEventOutbox, serveLanes } from './service/open-deliveries.ts';
import { openStorage } from './service/open-storage.ts';
import { openTelephony, udpPortOf } from './service/open-telephony.ts';
import { Resources, within } from './service/resources.ts';
import { runningService, type Service } from './service/running-service.ts';
import { dataError, listenError } from './service/start-error.ts';
import { startSweeps, sweepsOf } from './service/sweeps.ts';
import { TimerWheel } from './sip/timers.ts';
import { waking, watched } from './storage/decorators.ts';
import type { Storage } from './storage/storage.ts';
import { version } from './version.ts';

const CLOSE_MS = 5000;

/** Beside the sources and beside the bundle alike. */
const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Rejects with everything closed again. */
export async function serve(config: Config, output: Output): Promise<Service> {
  const { logger, logLine, flushLog, abandonLog } = makeLog(config);
  const resources = new Resources((err) => logger.warn({ err }, 'closing a resource failed'));
  // A database that hangs or a log that nothing reads must not keep the process.
  const close = async (closed: () => void): Promise<void> => {
    await within(CLOSE_MS, async () => {
      await resources.close();
      closed();
      await flushLog();
    });
    abandonLog();
  };
  try {
    resources.add(lockDataFolder(config), (lock) => lock.release());
    const core = await openCore(config, logger, resources);
    const { app, unsent } = core;
    const server = makeServer({ context: app, access: app.access, unsent, logger, logLine, ...config });
    resources.add(server, () => server.close());
    const address = await server
      .listen({ port: config.port, host: config.host })
      .catch((error: unknown) => Promise.reject(listenError(error, config)));
    await openCalls(core, address, resources, output);
    const finishJobs = await openJobs(core, resources);
    core.app.lifecycle.state = 'running';
    const report = core.callService?.report();
    logger.info(
      {
        address,
        database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql',
        ...(report ? { sip: report.listening, media: report.mediaAdapter } : {}),
      },
      'listening',
    );
    const finish = async (leftMs: number): Promise<void> => {
      await within(leftMs + CLOSE_MS, () => finishJobs(leftMs));
      await server.close();
      await close(() => logger.info('closed'));
    };
    const { callService } = core;
    return runningService({ address, config, logger, app, callService, finish });
  } catch (error) {
    await close(() => undefined);
    throw error;
  }
}

interface Core {
  /** Not slowed down for requests, as that of `app` is. */
  readonly storage: Storage;
  readonly unsent: UnsentBytes;
  readonly config: Config;
  readonly logger: Logger;
  readonly app: ApiContext;
  readonly recordings: RecordingStore;
  readonly outbox: Outbox;
  readonly eventOutbox: EventOutbox;
  /** Set while it opens: requests are refused until the service runs. */
  callService: CallService | null;
}

async function openCore(config: Config, logger: Logger, resources: Resources): Promise<Core> {
  const plainStorage = resources.add(await openStorage(config, logger), (opened) => opened.close());
  const metrics = makeMetrics(version());
  const disk = resources.add(await DiskSpace.watch(diskParts(config, logger)), (opened) => opened.stop());
  metrics.watchDisk(disk);
  const outbox = new Outbox({
    storage: plainStorage,
    clock: systemClock,
    failed: (err) => logger.warn({ err }, 'outbox: database unavailable; retrying'),
    settled: metrics.jobSettled,
  });
  metrics.watchOutbox(plainStorage);
  const wakingStorage = waking(plainStorage, (lane) => outbox.wake(lane));
  const storage = config.sip ? watched(wakingStorage, () => core.callService?.touch()) : wakingStorage;
  const safeFetch = resources.add(makeSafeFetch({ allow: config.outboundAllow }), (opened) => opened.close());
  const recordings = new RecordingStore({
    dataDir: config.dataDir,
    storage,
    fetchSafely: safeFetch.fetchSafely,
    speech: config.ttsCommand === undefined ? noSpeech : espeak(config.ttsCommand, programEnvironment()),
    failed: (err) => logger.warn({ err }, 'recording file sweep failed; retrying later'),
  });
  resources.add(recordings, (opened) => opened.close());
  const eventOutbox = makeEventOutbox(
    config,
    storage,
    logger,
    metrics.jobSettled,
    (id) => core.callService?.webhooksOf(id) ?? [],
  );
  resources.add(eventOutbox, async (opened) => {
    await opened.flush();
    opened.close();
  });
  const lifecycle: Lifecycle = { state: 'starting', endless: new Set() };
  const snapshots = new AccountSnapshots(storage);
  const turns = new Turns();
  const unsent = new UnsentBytes();
  const fairStorage = fairReads(storage, turns, unsent);
  const app: ApiContext = {
    storage: fairStorage,
    turns,
    snapshots,
    flowJobs: resources.add(new FlowJobs({ storage: fairStorage }), (opened) => opened.close()),
    agentLists: new AgentLists(storage, snapshots),
    sealer: makeSealer(config),
    metrics,
    lifecycle,
    recordings,
    callRecordings: new CallRecordings({
      folder: join(config.dataDir, 'captures'),
      storage,
      disk,
      failed: (err, what) => logger.warn({ err }, what),
    }),
    disk,
    quotas: new Quotas(storage),
    allowance: new Allowance(config.smsPerMinute, Date.now),
    capabilities: capabilitiesOf(config),
    safeFetch,
    queueOf: (accountId, department) => core.callService?.queueOf(accountId, department) ?? NO_QUEUE,
    access: resources.add(new Access(storage), (opened) => opened.close()),
    signIns: new SignIns(config),
    console: new ConsoleFiles(inPackage('dist/console/')),
    advertisedAddress: config.advertisedAddress ?? null,
    callService: () => core.callService,
  };
  const core: Core = {
    storage,
    unsent,
    config,
    logger,
    app,
    recordings,
    outbox,
    eventOutbox,
    callService: null,
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

/**
 * Telephony, then the first account where there is none: its secrets are printed once, so every port is open by then, and a start
 * that fails leaves no account.
 */
async function openCalls(core: Core, address: string, resources: Resources, output: Output): Promise<void> {
  const { config, storage } = core;
  if (config.sip) await openCallService(core, address, resources);
  const greeting = await firstStart(config, storage, address, output.isTTY === true).catch((error: unknown) =>
    Promise.reject(dataError(error, config)),
  );
  // The numbers of an account that was made just now.
  await core.callService?.freshRoutes();
  output.write(greeting(udpPortOf(core.callService?.report()) ?? config.sipPort));
}

async function openCallService(core: Core, address: string, resources: Resources): Promise<void> {
  const { config, logger, storage, app, eventOutbox } = core;
  const timers = new TimerWheel(
    (err) => logger.error({ err }, 'call timer callback failed'),
    undefined,
    Infinity,
  );
  resources.add(timers, () => timers.close());
  const callService = await CallService.open({
    storage,
    snapshots: app.snapshots,
    sealer: app.sealer,
    logger,
    clock: clockWith(timers),
    callRecordings: app.callRecordings,
    allowance: app.allowance,
    openTelephony: (user) =>
      openTelephony({ config, logger, address, prompts: inPackage('assets/prompts/') }, user),
    counted: app.metrics,
    journalFolder: config.dataDir,
    ends: eventOutbox,
    routesLoaded: (opened) => {
      core.callService = opened;
      // Without webhooks no event of the account is built, except those that send e-mail.
      opened.callEvents.subscribe(
        eventOutbox.publish,
        (id, type) => type === 'voicemail.received' || opened.webhooksOf(id).length > 0,
      );
    },
  });
  resources.add(callService, (opened) => opened.close());
  app.metrics.watchCalls(callService);
}

/** Returns what lets the jobs under way finish. */
async function openJobs(core: Core, resources: Resources): Promise<(leftMs: number) => Promise<void>> {
  const { config, logger, storage, app, outbox, recordings } = core;
  const { sealer, safeFetch, callRecordings, metrics } = app;
  const { smsSettled } = metrics;
  const gateway = await serveLanes(outbox, { config, storage, sealer, logger, safeFetch, smsSettled });
  resources.add(gateway, (opened) => opened?.close());
  const stopSweeps = startSweeps(sweepsOf({ storage, recordings, callRecordings, logger }), logger);
  resources.add(stopSweeps, (stop) => stop());
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
