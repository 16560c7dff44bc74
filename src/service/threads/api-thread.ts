// The thread of the API: opens it as the main thread asks, and ends with it.
import { workerData } from 'node:worker_threads';
import { makeThreadLog } from '../../kit/log.ts';
import { MINUTE_MS } from '../../sharing/ports/allowance.ts';
import { type Api, openApi, type TelephoneLink } from '../open-api.ts';
import { joinStorage } from '../open-storage.ts';
import { Resources } from '../resources.ts';
import { callControlOver, unavailable } from './call-control-thread.ts';
import { collectGarbage } from './collect-garbage.ts';
import { Link } from './link.ts';
import type { ApiStart, ApiThread, ApiThreadData, MainThread } from './offers.ts';
import { toPlain } from './plain-error.ts';
import { SharedCounts } from './shared-counts.ts';
import { Together } from './together.ts';
import { WaitingMessages, WebPhonePort } from './web-phone-port.ts';

const METRICS_MS = 2_000;
const PING_MS = 5_000;
const LOG_MS = 60_000;
const SMS_MS = 5_000;
const MAIL_MS = 5_000;
const TOUCH_MS = 10;
/** What a write waits at most until the telephone side has read it. */
const READ_MS = 500;
const IDLE_MS = 8_000;

const { link: port, writers, counts: memory, sourceMaps, ...web } = workerData as ApiThreadData;
if (sourceMaps) process.setSourceMapsEnabled(true);
const counts = new SharedCounts(memory);
const report = (error: unknown): void => link.tell('failed', toPlain(error));
let api: Api | null = null;
let closeAll: () => Promise<void> = async () => undefined;

const offered: ApiThread = {
  open: async (start) => {
    api = await open(start);
    collectWhenIdle();
    return api.address;
  },
  run: () => api?.run(),
  drain: () => api?.drain(),
  heardSignIn: (text) => api?.heardSignIn(text),
  sweepRecordings: async (nowMs) => (await api?.sweepRecordings(nowMs)) ?? 0,
  closeServer: async () => api?.closeServer(),
  close: async () => {
    await closeAll();
    web.webPhones.close();
    // After the answer.
    setImmediate(() => link.close());
  },
};
const link = new Link<MainThread>(port, offered, { failed: report, unanswered: unavailable });
process.on('uncaughtException', report);
process.on('unhandledRejection', report);

/** V8 gives memory of young objects back where little was allocated for some seconds. */
function collectWhenIdle(): void {
  setTimeout(() => {
    if (counts.requests > 0) collectWhenIdle();
    else collectGarbage();
  }, IDLE_MS).unref();
}

const together = new Together();
let isTouched = false;
/** The count says it to calls at once: many writes are one message. */
function touchSoon(): void {
  if (isTouched) return;
  isTouched = true;
  setTimeout(() => {
    isTouched = false;
    link.tell('refreshRoutesSoon');
  }, TOUCH_MS);
}

async function open({ config, storage: share, node }: ApiStart): Promise<Api> {
  const { logger, logLine, flushLog } = makeThreadLog(config, (lines) => link.call('log', LOG_MS, lines));
  const resources = new Resources((err) => logger.warn({ err }, 'closing a resource failed'));
  closeAll = async () => {
    await resources.close();
    await flushLog();
  };
  const storage = resources.add(await joinStorage(share, writers, logger), (opened) => opened.close());
  const running = {
    get count() {
      return counts.requests;
    },
    set count(count: number) {
      counts.requests = count;
    },
  };
  const control = config.sip ? callControlOver(link) : null;
  const telephone: TelephoneLink = {
    callControl: () => control,
    allowance: {
      take: (accountId) => link.call('takeSms', SMS_MS, accountId),
      get secondsLeft() {
        return Math.ceil((MINUTE_MS - (Date.now() % MINUTE_MS)) / 1000);
      },
    },
    mayMail: (accountId) => link.call('mayMail', MAIL_MS, accountId),
    shareSignIn: (text) => link.tell('shareSignIn', text),
    webPhones: new WebPhonePort(web.webPhones, new WaitingMessages(web.webPhonesWaiting)),
    wake: (lane) => link.tell('wake', lane),
    routesChanged: async () => {
      // The writer waits, not the callers. Where that takes too long, calls do: the count is raised before the answer.
      const isRead = await together.ask('routes', () => link.call('readRoutes', READ_MS)).catch(() => false);
      if (isRead) return;
      counts.routesWritten();
      touchSoon();
    },
    ping: () => link.call('ping', PING_MS),
    metrics: () => link.call('metrics', METRICS_MS).catch(() => ''),
  };
  return openApi({ config, logger, logLine, storage, telephone, running, node }, resources);
}
