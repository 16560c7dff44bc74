// Whether there are ports for the sound of calls: tried where nothing runs, counted where the service does.
import type { Config } from '../../config/config.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { tryPort } from './probe.ts';

const CHECK = 'sound ports';
const SAMPLE = 16;
/** More than this share of those that should be ready: a few always rest between two calls. */
const MISSING_SHARE = 0.1;
const NEARLY_ALL = 0.8;

type SoundConfig = Pick<Config, 'rtpPorts' | 'maxCalls' | 'sipHost'>;

/** The pairs of ports of the media engine that runs. */
export interface OpenPairs {
  /** Sides of calls that have a pair, and those that could have one at once. */
  readonly open: number;
  readonly ready: number;
  /** As many are made ready ahead of need. */
  readonly ahead: number;
}

function pairsIn({ rtpPorts }: SoundConfig): { first: number; pairs: number; range: string } {
  const first = rtpPorts.from + (rtpPorts.from % 2);
  const pairs = Math.floor((rtpPorts.to - first + 1) / 2);
  return { first, pairs, range: `RTP_PORTS ${rtpPorts.from}-${rtpPorts.to}` };
}

/** `running`: of the service on this machine; true where it runs, but does not say. */
export async function checkRtpPorts(config: SoundConfig, running: OpenPairs | boolean): Promise<Finding> {
  const { first, pairs, range } = pairsIn(config);
  const { sipHost, maxCalls } = config;
  if (pairs < 2)
    return fail(
      CHECK,
      `${range} has room for ${pairs} side of a call: a caller and an agent need two. Widen it.`,
      { code: 'sound-ports-none', values: { range } },
    );
  const taken =
    running === false
      ? await takenOf(sipHost, first, pairs, range)
      : running !== true && missing(running, pairs, range);
  if (taken) return taken;
  // A service that runs warns only when they are nearly used up: MAX_CALLS is rarely set where few ports are published.
  const isNear = typeof running === 'boolean' || running.open > NEARLY_ALL * pairs;
  if (pairs < maxCalls && isNear)
    return warn(
      CHECK,
      `${range} has sound for ${pairs} sides of calls at once (an agent’s is one too), but MAX_CALLS allows ${maxCalls}: callers beyond that are told 503. Widen it to ${2 * maxCalls} ports, or lower MAX_CALLS.`,
      { code: 'sound-ports-few', values: { range, pairs: String(pairs), calls: String(maxCalls) } },
    );
  return ok(
    CHECK,
    `${range}: ${pairs} sides of calls at once${running === false ? ', those tried are free' : ''}`,
  );
}

async function takenOf(host: string, first: number, pairs: number, range: string): Promise<Finding | null> {
  const { tried, taken } = await sample(host, first, pairs);
  if (taken === tried)
    return fail(
      CHECK,
      `None of ${tried} ports tried in ${range} can be had. Another program holds them: choose another range.`,
    );
  if (taken === 0) return null;
  return warn(
    CHECK,
    `${taken} of ${tried} ports tried in ${range} are taken by other programs. They are left out; choose a free range for all calls.`,
  );
}

function missing({ open, ready, ahead }: OpenPairs, pairs: number, range: string): Finding | null {
  if (ready === 0)
    return fail(
      CHECK,
      `No port of ${range} is free: new callers are told 503. Widen it, or stop the program that holds them.`,
      { code: 'sound-ports-none', values: { range } },
    );
  const wanted = Math.min(pairs, ahead);
  const lacking = wanted - open - ready;
  if (lacking <= wanted * MISSING_SHARE) return null;
  return warn(
    CHECK,
    `${lacking} of ${pairs} pairs of ${range} are taken by other programs. Choose a free range for all calls.`,
    { code: 'sound-ports-taken', values: { range, pairs: String(lacking) } },
  );
}

async function sample(host: string, first: number, pairs: number): Promise<{ tried: number; taken: number }> {
  const tried = Math.min(SAMPLE, pairs);
  let taken = 0;
  for (let at = 0; at < tried; at++) {
    const port = first + 2 * Math.floor((at * pairs) / tried);
    if ((await tryPort('udp', host, port)) !== null) taken++;
  }
  return { tried, taken };
}
