// Opens storage, telephony and HTTP, closes them in reverse. The only file that names adapters.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { SignIns } from './api/account/sign-ins.ts';
import { Access } from './api/http/auth.ts';
import type { ApiContext, Lifecycle } from './api/http/handler.ts';
import { KEEP_MS } from './api/http/idempotency.ts';
import { ConsoleFiles } from './api/pages/console-files.ts';
import { Directories } from './api/records/directory.ts';
import type { CallService } from './calls/call-service.ts';
import { NO_QUEUE } from './calls/queues/queue-view.ts';
import { CallRecordings } from './calls/records/call-recordings.ts';
import { forgetOldCalls } from './calls/records/record-retention.ts';
import { Flows } from './calls/routing/flows.ts';
import { SmsAllowance } from './calls/sms/sms-allowance.ts';
import { clockWith, systemClock } from './clock.ts';
import { type Config, programEnvironment, withoutPassword } from './config.ts';
import { makeDataFolder } from './data-folder.ts';
import { DEFAULT_SETTINGS } from './domain/account.ts';
import { SIP_REALM } from './domain/sip-password.ts';
import { firstStart } from './first-start.ts';
import { readWav } from './media/audio/wav.ts';
import { EventOutbox } from './notifications/event-outbox.ts';
import { mailJobs } from './notifications/mail.ts';
import { WEBHOOK_LANE, webhookDelivery } from './notifications/webhook-delivery.ts';
import { webhookJobs } from './notifications/webhook-jobs.ts';
import { PATIENCE } from './outbox/back-off.ts';
import { Outbox } from './outbox/outbox.ts';
import { RecordingStore } from './recordings/recording-store.ts';
import { espeak, noSpeech } from './recordings/speech.ts';
import { makeSafeFetch } from './safe-fetch/safe-fetch.ts';
import { makeSealer } from './sealing.ts';
import { TimerWheel } from './sip/timers.ts';
import { ListenError } from './sip/transports/listen.ts';
import type { GatewayUser, SmsGateway } from './sms/gateway.ts';
import { SmsSender } from './sms/sender.ts';
import { waking, watched } from './storage/decorators.ts';
import { openSqlite } from './storage/sqlite/sqlite.ts';
import type { Storage } from './storage/storage.ts';
import type { Sound, Telephony, TelephonyReport, TelephonyUser } from './telephony/telephony.ts';

const SWEEP_MS = 10 * 60 * 1000;
const SWEEP_ROWS = 1000;
const DAY_MS = 24 * 3_600_000;
const CLOSE_MS = 5000;
const KEEP_SMS_MS = 90 * DAY_MS;
/** After a crash a message in flight waits so long, and a little more, before it is sent again. */
const SMS_TRY_MS = 15_000;

/** A fault of the surroundings that a person can mend: told in one line, without a stack. */
export class StartError extends Error {}

export async function openStorage(config: Config, logger?: Logger): Promise<Storage> {
  const { databaseUrl, dataDir } = config;
  try {
    makeDataFolder(dataDir);
  } catch (error) {
    throw new StartError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, { cause: error });
  }
  try {
    if (databaseUrl === undefined) return await openSqlite(dataDir);
    const { openPostgres } = await import('./storage/postgres/postgres.ts');
    return await openPostgres({
      url: databaseUrl,
      onConnectionError: (err) => logger?.warn({ err }, 'database connection lost'),
    });
  } catch (error) {
    const where =
      databaseUrl === undefined ? `DATA_DIR ${dataDir}` : `DATABASE_URL ${withoutPassword(databaseUrl)}`;
    throw new StartError(`${where} cannot be used: ${(error as Error).message}`, { cause: error });
  }
}

export interface Service {
  readonly address: string;
  /** Lets running requests and calls finish, for at most DRAIN_SECONDS, then closes everything. */
  drain(): Promise<void>;
  /** Whoever waits for calls to end waits no longer: both sides are sent a BYE. Whether there was any. */
  hangUp(): boolean;
  /** A fault that nobody caught. */
  failed(error: unknown): void;
  /** How the telephone side is; null: SIP is off. */
  telephones(): TelephonyReport | null;
}

export async function serve(config: Config, say: (text: string) => void): Promise<Service> {
  // What only the service needs is loaded here: every other command would wait for it in vain.
  const [{ makeLog }, { makeMetrics }, { makeServer }, { CallService: Opened }] = await Promise.all([
    import('./log.ts'),
    import('./api/http/metrics.ts'),
    import('./api/http/server.ts'),
    import('./calls/call-service.ts'),
  ]);
  const { logger, logLine, abandonLog } = makeLog(config);
  const plainStorage = await openStorage(config, logger);
  let callService: CallService | undefined;
  let outbox: Outbox | undefined;
  const wakingStorage = waking(plainStorage, (lane) => outbox?.wake(lane));
  const storage = config.sip ? watched(wakingStorage, () => callService?.touch()) : wakingStorage;
  const access = new Access(storage);
  const lifecycle: Lifecycle = { state: 'starting', endless: new Set() };
  const sealer = makeSealer(config);
  const allowance = new SmsAllowance(config.smsPerMinute, Date.now);
  const metrics = makeMetrics();
  const callRecordings = new CallRecordings({
    folder: join(config.dataDir, 'captures'),
    storage,
    failed: (err, what) => logger.warn({ err }, what),
  });
  const recordingStore = new RecordingStore({
    dataDir: config.dataDir,
    storage,
    fetchSafely: (url, options) => app.safeFetch.fetchSafely(url, options),
    speech: config.ttsCommand === undefined ? noSpeech : espeak(config.ttsCommand, programEnvironment()),
    failed: (err) => logger.warn({ err }, 'recordings were not swept; trying again later'),
  });
  const app: ApiContext = {
    storage,
    directories: new Directories(storage),
    flows: new Flows(storage),
    sealer,
    metrics,
    lifecycle,
    recordings: recordingStore,

    callRecordings,

    allowance,

    safeFetch: makeSafeFetch({ allow: config.outboundAllow }),

    queueOf: (accountId, department) => callService?.queueOf(accountId, department) ?? NO_QUEUE,

    access,
    signIns: new SignIns(config),
    console: new ConsoleFiles(CONSOLE),
    advertisedAddress: config.advertisedAddress ?? null,

    callService: () => callService ?? null,
  };
  let webhooksOf: CallService['webhooksOf'] = () => [];
  const eventOutbox = makeEventOutbox(config, storage, logger, (id) => webhooksOf(id));
  const server = makeServer({ context: app, access, logger, logLine, ...config });

  const giveUp = async (error: unknown): Promise<never> => {
    await server.close();
    await callService?.close();
    await storage.close();
    throw error;
  };
  const address = await server
    .listen({ port: config.port, host: config.host })
    .catch((error) => giveUp(listenError(error, config)));
  const greeting = await firstStart(config, storage, address).catch((error) =>
    giveUp(dataError(error, config)),
  );
  if (config.sip) {
    callService = await Opened.open({
      storage,
      flows: app.flows,
      sealer,
      logger,
      clock: clockWith(
        new TimerWheel((err) => logger.error({ err }, 'a timer of a call failed'), undefined, Infinity),
      ),
      callRecordings,
      allowance,
      openTelephony: (user) => openTelephony(config, user, logger),
      ended: (_facts, { end }) => metrics.callEnded(end.code),
      journalFolder: config.dataDir,
      ends: eventOutbox,
      routesLoaded: (opened) => {
        ({ webhooksOf } = opened);
        // Without webhooks no event of the account is built, except those that send e-mail.
        opened.callEvents.subscribe(
          eventOutbox.tell,
          (id, type) => type === 'voicemail.received' || webhooksOf(id).length > 0,
        );
      },
    }).catch((error) => {
      // Passwords of the demonstration are told now or never.
      say(greeting(config.sipPort));
      return giveUp(error instanceof ListenError ? new StartError(error.message) : error);
    });
    metrics.watchCalls(callService);
  }
  say(greeting(udpPortOf(callService?.report()) ?? config.sipPort));
  const sweeping = setInterval(() => void sweep(storage, logger), SWEEP_MS);
  sweeping.unref();

  const sweepCallRecordings = (): void =>
    void callRecordings
      .recover()
      .then(() => callRecordings.forgetOld(Date.now()))
      .catch((err: unknown) => logger.warn({ err }, 'old recordings were not removed; trying again later'));
  sweepCallRecordings();
  const sweepingCallRecordings = setInterval(sweepCallRecordings, SWEEP_MS);
  sweepingCallRecordings.unref();

  const leaving = new Outbox({
    storage,
    clock: systemClock,
    failed: (err) => logger.warn({ err }, 'the outbox waits for the database'),
    settled: metrics.jobSettled,
  });
  outbox = leaving;
  metrics.watchOutbox(storage);
  const gateway = await openSms(config, logger, (receipts) => sender.received(receipts));
  const sender = new SmsSender({
    storage,
    gateway,
    epochMs: Date.now,
    patience: PATIENCE,
    told: metrics.smsSettled,
  });
  leaving.serve('sms', sender.handle, { tryMs: SMS_TRY_MS });

  leaving.serve(
    'webhook',
    webhookDelivery({ storage, sealer, clock: systemClock, fetchSafely: app.safeFetch.fetchSafely }),
    WEBHOOK_LANE,
  );
  if (config.smtpUrl !== undefined) {
    const { mailDelivery } = await import('./notifications/mail-delivery.ts');
    leaving.serve('email', mailDelivery(config.smtpUrl, config.mailFrom));
  }

  const forgetting = setInterval(() => void forgetCalls(storage, logger, lifecycle), SWEEP_MS);
  forgetting.unref();

  // Every lane has its handler by now.
  leaving.start();
  lifecycle.state = 'running';
  logger.info(
    {
      address,
      database: config.databaseUrl === undefined ? 'sqlite' : 'postgresql',
      ...(callService
        ? { sip: callService.report()?.listening, media: callService.report()?.mediaAdapter }
        : {}),
    },
    'listening',
  );

  let hurried = false;
  async function drain(): Promise<void> {
    lifecycle.state = 'draining';
    for (const end of lifecycle.endless) end();
    callService?.drain();
    logger.info({ running: metrics.running.count, calls: callService?.calls ?? 0 }, 'draining');
    const deadlineMs = performance.now() + config.drainSeconds * 1000;
    const busy = (): boolean => (!hurried && metrics.running.count > 0) || (callService?.calls ?? 0) > 0;
    while (busy() && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    callService?.hangUpAll();
    clearInterval(sweeping);
    clearInterval(sweepingCallRecordings);
    const leftMs = Math.max(0, deadlineMs - performance.now());
    await within(leftMs + CLOSE_MS, async () => {
      await leaving.drain(leftMs);
      await gateway?.close();
    });
    await server.close();
    // A database that hangs or a log that nobody reads must not keep the process: it has nothing left to lose.
    await within(CLOSE_MS, async () => {
      await callService?.close();
      await recordingStore.close();
      await eventOutbox.flush();
      eventOutbox.close();
      await access.close();
      app.safeFetch.close();
      await storage.close();
      logger.info('closed');
      await new Promise<void>((resolve) => logger.flush(() => resolve()));
    });
    abandonLog();
  }
  return {
    address,
    drain,
    hangUp() {
      const calls = callService?.calls ?? 0;
      hurried = true;
      callService?.hangUpAll();
      return calls > 0;
    },
    failed: (err) => logger.error({ err }, 'a fault that nobody caught; the service goes on'),
    telephones: () => callService?.report() ?? null,
  };
}

function makeEventOutbox(
  config: Config,
  storage: Storage,
  logger: Logger,
  webhooksOf: (accountId: string) => Parameters<typeof webhookJobs>[0],
): EventOutbox {
  const mails = mailJobs(config.smtpUrl !== undefined, () =>
    logger.warn('a voicemail box has an e-mail address, but SMTP_URL is not set: no e-mail is sent'),
  );
  return new EventOutbox({
    storage,
    clock: systemClock,
    jobsFor(event) {
      const jobs = webhookJobs(webhooksOf(event.accountId), event);
      return event.type === 'voicemail.received' ? [...jobs, ...mails(event)] : jobs;
    },
    failed: (err, waiting) => logger.warn({ err, waiting }, 'news of calls were not stored; trying again'),
    dropped: (jobs) => {
      // Told at every power of two, or the log would be full of it.
      if (Math.log2(jobs) % 1 === 0) logger.error({ jobs }, 'news of calls were dropped: too many wait');
    },
  });
}

async function openSms(
  { sms, smsSender: from }: Config,
  logger: Logger,
  received: GatewayUser['received'],
): Promise<SmsGateway | null> {
  if (!sms) return null;
  if (sms.protocol === 'http') {
    const { HttpGateway } = await import('./sms/http/http-gateway.ts');
    return new HttpGateway({ ...sms, sender: from });
  }
  const { SmppGateway } = await import('./sms/smpp/smpp-gateway.ts');
  const user: GatewayUser = { received, say: (level, text) => logger[level](text) };
  return new SmppGateway({ ...sms, sender: from }, user, systemClock);
}

/** The port that was taken, where the system was to choose one. */
export function udpPortOf(report: TelephonyReport | null | undefined): number | null {
  const udp = report?.listening.find((each) => each.startsWith('udp '));
  return udp === undefined ? null : Number(udp.slice(udp.lastIndexOf(':') + 1));
}

async function openTelephony(config: Config, user: TelephonyUser, logger: Logger): Promise<Telephony> {
  const { sipHost: host, sipPort: port, sipTlsPort, sipTlsCert, sipTlsKey } = config;
  const at = { host, hostVariable: 'SIP_HOST' };
  const tls =
    sipTlsPort === undefined || sipTlsCert === undefined || sipTlsKey === undefined
      ? undefined
      : {
          port: sipTlsPort,
          pem: { certificate: readPem('SIP_TLS_CERT', sipTlsCert), key: readPem('SIP_TLS_KEY', sipTlsKey) },
        };
  const { openBuiltin } = await import('./telephony/builtin/builtin.ts');
  return openBuiltin({
    listen: [
      { protocol: 'udp', port, portVariable: 'SIP_PORT', ...at },
      { protocol: 'tcp', port, portVariable: 'SIP_PORT', ...at },
      ...(tls ? [{ protocol: 'tls', port: tls.port, portVariable: 'SIP_TLS_PORT', ...at } as const] : []),
    ],
    ...(tls ? { tls: tls.pem } : {}),
    advertisedAddress: config.advertisedAddress,
    realm: SIP_REALM,
    media: {
      host,
      ports: config.rtpPorts,
      // One worker carries more than a thousand calls; a second one only where cores are to spare.
      workers: config.mediaWorkers || Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2))),
      adapter: config.mediaSockets,
      realTime: config.mediaPriority === 'realtime',
      rtpTimeoutMs: config.rtpTimeoutSeconds * 1000,
      onFailure: (reason) => logger.error({ reason }, 'a media worker ended; a new one is started'),
      onWarning: (reason) => logger.warn({ reason }, 'MEDIA_PRIORITY=realtime has no effect'),
    },
    limits: config,
    user,
    readSound: (sound) => readSound(config.dataDir, sound),
    logger,
  });
}

function readPem(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${variable} ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Beside the sources and beside the bundle alike. */
const CONSOLE = fileURLToPath(new URL('../dist/console/', import.meta.url));
const PROMPTS = fileURLToPath(new URL('../assets/prompts/', import.meta.url));

/** As µ-law; null: there is no such file, or nothing in it that we can play. */
async function readSound(dataDir: string, sound: Exclude<Sound, { kind: 'tone' }>): Promise<Buffer | null> {
  const file =
    sound.kind === 'system'
      ? join(PROMPTS, `${sound.prompt}.wav`)
      : join(dataDir, 'recordings', `${sound.sha256}.wav`);
  const audio = readWav(await readFile(file));
  return 'fault' in audio ? null : audio;
}

async function within(ms: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work(), late]);
  clearTimeout(timer);
}

/** Each in small bites, so that a large backlog delays nobody's write for long. */
async function sweep(storage: Storage, logger: Logger): Promise<void> {
  await inBites(logger, 'idempotency keys', () =>
    storage.forgetClaims({ beforeMs: Date.now() - KEEP_MS, limit: SWEEP_ROWS }),
  );
  await inBites(logger, 'SMS', () =>
    storage.forgetMessages({ beforeMs: Date.now() - KEEP_SMS_MS, limit: SWEEP_ROWS }),
  );
  await inBites(logger, 'sessions', () =>
    storage.forgetSessions({ beforeMs: Date.now(), limit: SWEEP_ROWS }),
  );
  for (const { id: accountId, settings } of await storage.listAccounts().catch(() => [])) {
    const days = settings.keep_audit_days ?? DEFAULT_SETTINGS.keep_audit_days;
    if (days === 0) continue;
    await inBites(logger, 'audit entries', () =>
      storage.forgetAudit({ accountId, beforeMs: Date.now() - days * DAY_MS, limit: SWEEP_ROWS }),
    );
  }
}

async function inBites(
  logger: Logger,
  what: string,
  bite: () => Promise<{ readonly forgotten: number }>,
): Promise<void> {
  try {
    for (let bites = 0; bites < 1000; bites++) if ((await bite()).forgotten < SWEEP_ROWS) return;
  } catch (err) {
    logger.warn({ err }, `old ${what} were not removed; trying again later`);
  }
}

async function forgetCalls(storage: Storage, logger: Logger, lifecycle: Lifecycle): Promise<void> {
  try {
    const stopped = (): boolean => lifecycle.state === 'draining';
    if (stopped()) return;
    const records = await forgetOldCalls({ storage, nowMs: Date.now(), stopped });
    if (records > 0) logger.info({ records }, 'old call records were forgotten');
  } catch (err) {
    logger.warn({ err }, 'old call records were not forgotten; trying again later');
  }
}

function listenError(error: unknown, { host, port }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `PORT ${port} on ${host} is in use by another program. Stop it, or set PORT to a free one.`,
      );
    case 'EACCES':
      return new StartError(`PORT ${port} may not be opened by this user. Set PORT to 1024 or above.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

/** Files of the first start that cannot be written are the data folder's fault; anything else is ours. */
function dataError(error: unknown, { dataDir }: Config): unknown {
  const { syscall, message } = error as NodeJS.ErrnoException;
  return syscall === undefined
    ? error
    : new StartError(`DATA_DIR ${dataDir} cannot be used: ${message}`, { cause: error });
}
