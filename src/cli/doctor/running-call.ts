// A call to the Dialtree that runs here, as a caller would make it. It leaves a call record there, like any call.
import type { Config } from '../../config/config.ts';
import { ownCommand } from '../../kit/own-command.ts';
import { isLoopbackHost, isWildcard, ownAddresses } from '../../service/checks/address.ts';
import { type Finding, fail, ok, reasonOf, skip, warn } from '../../service/checks/finding.ts';
import { statusInWords } from '../../telephony/softphone/cause-words.ts';
import { Softphone } from '../../telephony/softphone/softphone.ts';
import type { StoredNumber } from './data.ts';
import { TestCallLeg, until } from './test-call-leg.ts';

const CHECK = 'self call';
const ANSWER_MS = 8_000;
const LISTEN_MS = 3_000;

/** The first number that leads to a menu: a test must not ring phones. */
export function numberToCall(numbers: readonly StoredNumber[], wanted: string | undefined): string | null {
  return (
    wanted ??
    numbers.find(({ destination, isOpenHere }) => isOpenHere && destination.startsWith('ivr||'))?.number ??
    null
  );
}

export async function callRunning(config: Config, number: string | null): Promise<Finding> {
  const { sipHost, sipPort, advertisedAddress } = config;
  if (number === null)
    return skip(
      CHECK,
      'A Dialtree runs here, but no number of it leads to a menu. Say which to call with --number <n>; agents’ phones would ring.',
    );
  if (!isLoopbackHost(sipHost) && !isWildcard(sipHost))
    return skip(
      CHECK,
      `A Dialtree runs on ${sipHost}, where callers must prove who they are. Try ${ownCommand()} call ${number} --from <intercom> --password <p>.`,
    );
  if (advertisedAddress !== undefined && !ownAddresses().includes(advertisedAddress))
    return skip(
      CHECK,
      `The running Dialtree advertises ${advertisedAddress}, which leads outside. Try it with a phone there.`,
    );
  const parts = {
    protocol: 'udp',
    user: 'doctor',
    mediaSockets: config.mediaSockets,
    failed: () => undefined,
  } as const;
  const phone = await Softphone.open({ server: { host: sipHost, port: sipPort }, ...parts });
  try {
    return await call(phone, number);
  } catch (error) {
    return fail(CHECK, `It broke off: ${reasonOf(error)}`);
  } finally {
    await phone.close();
  }
}

async function call(phone: Softphone, number: string): Promise<Finding> {
  const ear = new TestCallLeg();
  const startedMs = performance.now();
  const placed = phone.call(number, ear);
  await until(() => ear.answeredMs !== null || ear.end !== null, ANSWER_MS);
  if (ear.answeredMs === null) {
    placed.hangUp();
    const why = ear.end
      ? `${ear.end.status ?? ''} ${ear.end.reason}. ${statusInWords(ear.end.status ?? 0)}`
      : `it was not answered within ${ANSWER_MS / 1_000} s.`;
    return fail(CHECK, `The running Dialtree was called at ${number}: ${why}`);
  }
  const answeredMs = Math.round(ear.answeredMs - startedMs);
  await until(() => ear.end !== null, LISTEN_MS);
  placed.hangUp();
  await until(() => ear.end !== null, ANSWER_MS);
  ear.hearing.end();
  const result = `The running Dialtree answered ${number} after ${answeredMs} ms; heard: ${ear.words}`;
  if (ear.sounds.some((kind) => kind !== 'silence' && kind !== 'nothing')) return ok(CHECK, result);
  if (ear.sounds.length === 0)
    return fail(
      CHECK,
      `${result}. A firewall drops UDP on RTP_PORTS, or ADVERTISED_ADDRESS leads elsewhere.`,
    );
  return warn(CHECK, `${result}. Is there a recording behind that number?`);
}
