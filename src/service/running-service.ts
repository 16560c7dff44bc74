// The service while it runs, and how it ends: no new work, time for what is under way, then everything is closed.
import type { Logger } from 'pino';
import type { ApiContext } from '../api/http/handler.ts';
import type { CallService } from '../calls/call-service.ts';
import type { Config } from '../config.ts';
import type { TelephonyReport } from '../telephony/telephony.ts';
import { udpPortOf } from './open-telephony.ts';

const POLL_MS = 20;

export interface Service {
  readonly address: string;
  /** Lets running requests and calls finish, for at most DRAIN_SECONDS, then closes everything. */
  drain(): Promise<void>;
  /** Ends all calls at once instead of waiting for them. Whether there was any. */
  hangUp(): boolean;
  failed(error: unknown): void;
  /** Null: SIP is off. */
  telephones(): TelephonyReport | null;
  /** The UDP port of SIP; null: SIP is off. */
  sipPort(): number | null;
}

export interface RunningParts {
  readonly address: string;
  readonly config: Pick<Config, 'drainSeconds'>;
  readonly logger: Logger;
  readonly app: Pick<ApiContext, 'lifecycle' | 'metrics'>;
  /** Null: SIP is off. */
  readonly callService: CallService | null;
  /** After the last request and the last call; jobs under way have the rest of the time. */
  readonly finish: (leftMs: number) => Promise<void>;
}

export function runningService(parts: RunningParts): Service {
  const { address, config, logger, callService, finish } = parts;
  const { lifecycle, metrics } = parts.app;
  let hurried = false;
  let draining: Promise<void> | null = null;
  const calls = (): number => callService?.calls ?? 0;
  async function drain(): Promise<void> {
    lifecycle.state = 'draining';
    for (const end of lifecycle.endless) end();
    callService?.drain();
    logger.info({ running: metrics.running.count, calls: calls() }, 'draining');
    const deadlineMs = performance.now() + config.drainSeconds * 1000;
    const busy = (): boolean => (!hurried && metrics.running.count > 0) || calls() > 0;
    while (busy() && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    callService?.hangUpAll();
    await finish(Math.max(0, deadlineMs - performance.now()));
  }
  return {
    address,
    drain: () => {
      draining ??= drain();
      return draining;
    },
    hangUp() {
      const before = calls();
      hurried = true;
      callService?.hangUpAll();
      return before > 0;
    },
    // Not `fatal`: pino flushes that synchronously, and a log that is not read would block the process.
    failed: (err) => logger.error({ err }, 'uncaught error; draining'),
    telephones: () => callService?.report() ?? null,
    sipPort: () => udpPortOf(callService?.report()),
  };
}
