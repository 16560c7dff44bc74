// The checks of `dialtree doctor` while the service runs, for Health: the same functions, made again when somebody asks and the last
// look is old enough, never twice at once. Who asks waits a moment and gets what is known by then.

import type { Config } from '../config/config.ts';
import type { MachineCheck } from '../domain/health.ts';
import { SPARE_PAIRS } from '../media/sockets/port-pool.ts';
import type { TelephonyReport } from '../telephony/telephony.ts';
import { checkAddress } from './checks/address.ts';
import { runningBrowserPort } from './checks/browser-port.ts';
import type { Finding } from './checks/finding.ts';
import { checkListening } from './checks/listening.ts';
import { ClockWatch, checkClock, checkOpenFiles, openFileLimit } from './checks/machine.ts';
import { checkRtpPorts } from './checks/sound-ports.ts';
import { checkSoundStore } from './checks/sound-store.ts';
import { within } from './resources.ts';

const EVERY_MS = 60_000;
/** Four requests to a store that may cost money. */
const STORE_EVERY_MS = 300_000;
/** Less than what another node waits for the answer (nodes/node-client.ts). */
const WAIT_MS = 700;

type Report = Pick<TelephonyReport, 'listening' | 'streams' | 'readyStreams' | 'browserPort'>;

export interface MachineChecksParts {
  readonly config: Config;
  /** Null if there are no telephones, or not yet. */
  readonly report: () => Promise<Report | null>;
  readonly failed: (error: unknown) => void;
}

/** What the machine's checks find wrong now. */
export function machineChecks({ config, report, failed }: MachineChecksParts): () => Promise<MachineCheck[]> {
  const watch = new ClockWatch();
  const limit = openFileLimit();
  const machine = async (): Promise<readonly (Finding | null)[]> => [
    checkClock(Date.now(), watch.look()),
    checkOpenFiles(config, limit),
    ...(config.sip ? await telephoneChecks(config, await report().catch(() => null)) : []),
  ];
  const looks = [
    kept(machine, EVERY_MS, failed),
    ...(config.soundStore ? [kept(async () => [await checkSoundStore(config)], STORE_EVERY_MS, failed)] : []),
  ];
  return async () => (await Promise.all(looks.map((look) => look()))).flat().flatMap(wrong);
}

async function telephoneChecks(config: Config, report: Report | null): Promise<(Finding | null)[]> {
  // Behind a proxy the address is the proxy's affair.
  const address = config.sipEdges.length > 0 ? null : checkAddress(config);
  if (!report) return [address];
  const { listening, streams: open, readyStreams: ready, browserPort } = report;
  return [
    address,
    ...(await checkListening(listening)),
    runningBrowserPort(config, browserPort),
    await checkRtpPorts(config, { open, ready, ahead: SPARE_PAIRS }),
  ];
}

function wrong(finding: Finding | null): MachineCheck[] {
  if (!finding || (finding.state !== 'fail' && finding.state !== 'warn')) return [];
  const { code, message, values = {} } = finding;
  return code === undefined ? [] : [{ code, message, values }];
}

/** What the last look found; a look begins where that is older. */
export function kept<Found>(
  look: () => Promise<readonly Found[]>,
  everyMs: number,
  failed: (error: unknown) => void,
): () => Promise<readonly Found[]> {
  let found: readonly Found[] = [];
  let lookedMs = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    try {
      found = await look();
    } catch (error) {
      failed(error);
    } finally {
      lookedMs = performance.now();
      running = null;
    }
  };
  return async () => {
    if (!running && performance.now() - lookedMs >= everyMs) running = begin();
    const now = running;
    if (now) await within(WAIT_MS, () => now);
    return found;
  };
}
