// The service while it runs, and how it ends: no new work, time for what is under way, then everything is closed.
import type { Logger } from 'pino';
import type { CallService } from '../calls/call-service.ts';
import type { Config } from '../config/config.ts';
import { EDGE_NOTICE_MS, type TelephonyReport } from '../telephony/telephony.ts';
import type { Api } from './open-api.ts';

const POLL_MS = 20;

export interface Service {
  readonly address: string;
  /** Lets running requests and calls finish, for at most DRAIN_SECONDS, then closes everything. */
  drain(): Promise<void>;
  /** Ends all calls at once instead of waiting for them. Whether there was any. */
  hangUp(): Promise<boolean>;
  failed(error: unknown): void;
  /** Null if SIP is off. */
  telephones(): Promise<TelephonyReport | null>;
  /** The UDP port of SIP; null: SIP is off. */
  readonly sipPort: number | null;
}

export interface RunningParts {
  readonly config: Pick<Config, 'drainSeconds' | 'sipEdges'>;
  readonly logger: Logger;
  readonly api: Pick<Api, 'address' | 'running' | 'drain'>;
  /** Null if SIP is off. */
  readonly callService: Pick<CallService, 'control' | 'drain' | 'hangUpAll'> | null;
  readonly sipPort: number | null;
  /** After the last request and the last call; jobs under way have the rest of the time. */
  readonly finish: (leftMs: number) => Promise<void>;
}

export function runningService(parts: RunningParts): Service {
  const { config, logger, api, callService, sipPort, finish } = parts;
  let hurried = false;
  let draining: Promise<void> | null = null;
  // A telephone side that does not answer has no calls to wait for.
  const calls = async (): Promise<number> =>
    (await callService?.control.counts().catch(() => null))?.calls ?? 0;
  async function drain(): Promise<void> {
    api.drain();
    callService?.drain();
    logger.info({ running: api.running.count, calls: await calls() }, 'draining');
    const deadlineMs = performance.now() + config.drainSeconds * 1000;
    // Calls are taken until the edges know.
    const noticeMs = callService && config.sipEdges.length > 0 ? performance.now() + EDGE_NOTICE_MS : 0;
    const busy = async (): Promise<boolean> =>
      (!hurried && (api.running.count > 0 || performance.now() < noticeMs)) || (await calls()) > 0;
    while ((await busy()) && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    callService?.hangUpAll();
    await finish(Math.max(0, deadlineMs - performance.now()));
  }
  return {
    address: api.address,
    drain: () => {
      draining ??= drain();
      return draining;
    },
    async hangUp() {
      hurried = true;
      const before = await calls();
      callService?.hangUpAll();
      return before > 0;
    },
    // Not `fatal`: pino flushes that synchronously, and a log that is not read would block the process.
    failed: (err) => logger.error({ err }, 'uncaught error; draining'),
    telephones: async () => (await callService?.control.report()) ?? null,
    sipPort,
  };
}
