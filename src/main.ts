// Puts the service together: opens the log, storage, HTTP, telephony and deliveries, and drains them at the end. With
// service/ the only code that names adapters. Loaded by `dialtree serve` alone: other commands need little of it.
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { makeLog } from './kit/log.ts';
import { firstStart, type Output } from './service/first-start.ts';
import { nodeIdentity } from './service/node-identity.ts';
import type { Api } from './service/open-api.ts';
import { lockDataFolder } from './service/open-data-folder.ts';
import { checkPrograms } from './service/open-speech.ts';
import { CONNECTIONS, openStorage } from './service/open-storage.ts';
import {
  joinCluster,
  openCallService,
  openJobs,
  openTelephoneCore,
  type TelephoneCore,
} from './service/open-telephone-side.ts';
import { udpPortOf } from './service/open-telephony.ts';
import { Resources, within } from './service/resources.ts';
import { runningService, type Service } from './service/running-service.ts';
import { dataError } from './service/start-error.ts';
import { withStoredVariables } from './service/stored-variables.ts';
import { offerCallControl } from './service/threads/call-control-thread.ts';
import { collectGarbage } from './service/threads/collect-garbage.ts';
import { ApiThreadHandle, type ApiThreadParts } from './service/threads/start-api-thread.ts';
import type { Storage } from './storage/storage.ts';

const CLOSE_MS = 5000;

/** Rejects with everything closed again. */
export async function serve(given: Config, output: Output): Promise<Service> {
  const { logger, writeLines, flushLog, abandonLog } = makeLog(given);
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
    checkPrograms(given);
    const node = nodeIdentity(given);
    const { formerRun } = resources.add(lockDataFolder(given, node), (lock) => lock.release());
    const apiThread = resources.add(new ApiThreadHandle(uncaught), (thread) => thread.close());
    const storage = resources.add(
      await openStorage(given, { logger, connections: CONNECTIONS.telephone }),
      (opened) => opened.close(),
    );
    const config = await completed(given, storage, logger);
    const writtenElsewhere = (): number => apiThread.counts.routeWrites;
    const webSockets = apiThread.webSockets();
    const parts = { node, formerRun, config, logger, storage, writtenElsewhere, webSockets };
    const core = await openTelephoneCore(parts, resources);
    // Before the database, which it uses.
    resources.add(apiThread, (thread) => thread.close());
    const api = await apiThread.open({ config, node, storage, offered: offeredBy(core, writeLines) });
    if (config.cluster) followSignIns(core, api, resources);
    const cluster = await joinCluster(core, formerRun, api.address, resources);
    await openCalls(core, api, resources, output);
    await cluster?.opened();
    const finishJobs = await openJobs(core, { sweep: api.sweepRecordings }, resources);
    collectGarbage();
    api.run();
    const { address } = api;
    const report = (await core.callService?.control.report()) ?? null;
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
      await api.closeServer();
      await close(() => logger.info('closed'));
    };
    const sipPort = udpPortOf(report);
    return runningService({ config, logger, api, callService: core.callService, sipPort, finish });
  } catch (error) {
    await close(() => undefined);
    throw error;
  }
}

/** With what the operator has stored. A value that cannot be used is no reason not to start: the console shows and changes it. */
async function completed(given: Config, storage: Storage, logger: Logger): Promise<Config> {
  const { config, unreadable, unusable } = await withStoredVariables(given, storage);
  if (unreadable.length > 0)
    logger.error({ variables: unreadable }, 'stored variables not used: sealed with another SECRET_KEY');
  if (unusable.length > 0) logger.error({ variables: unusable }, 'stored variables not used: value refused');
  return config;
}

const SIGN_INS = 'sign-ins';

/** Wrong passwords count at all nodes. */
function followSignIns({ sharing }: TelephoneCore, api: Api, resources: Resources): void {
  const stop = sharing.notices.subscribe(
    SIGN_INS,
    (text) => api.heardSignIn(text),
    () => undefined,
  );
  resources.add(stop, () => stop());
}

/** An error of the API's thread is one of the process: `dialtree serve` logs it and drains. */
function uncaught(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}

function offeredBy(core: TelephoneCore, writeLines: (lines: string) => void): ApiThreadParts['offered'] {
  return {
    ...offerCallControl(() => core.callService?.control ?? null),
    wake: (lane) => core.outbox.wake(lane),
    readRoutes: async () => (await core.callService?.readRoutes()) ?? false,
    refreshRoutesSoon: () => core.callService?.refreshRoutesSoon(),
    metrics: () => core.metrics.text(),
    takeSms: (accountId) => core.allowance.take(accountId),
    mayMail: (accountId) => core.mayMail(accountId),
    // A notice that is lost is no harm: this node has counted it.
    shareSignIn: (text) => {
      if (!core.config.cluster) return;
      void Promise.resolve(core.sharing.notices.publish(SIGN_INS, text)).catch(() => undefined);
    },
    log: writeLines,
    ping: () => undefined,
  };
}

/**
 * Telephony, then the first account where there is none: its secrets are printed once, so every port is open by then, and a start
 * that fails leaves no account.
 */
async function openCalls(
  core: TelephoneCore,
  { address }: Api,
  resources: Resources,
  output: Output,
): Promise<void> {
  const { config, storage } = core;
  if (config.sip) await openCallService(core, address, resources);
  const greeting = await firstStart(config, storage, address, output.isTTY === true).catch((error: unknown) =>
    Promise.reject(dataError(error, config)),
  );
  // The numbers of an account that was made just now.
  await core.callService?.freshRoutes();
  output.write(greeting(udpPortOf(await core.callService?.control.report()) ?? config.sipPort));
}
