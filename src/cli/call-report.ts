// What `dialtree call` says.
import type { HeardSegment } from '../media/audio/hearing.ts';
import { describeSound } from '../media/audio/sound-class.ts';
import { causeInWords, statusInWords } from '../telephony/softphone/cause-words.ts';
import type { SoftphoneEnd, SoftphoneEvents } from '../telephony/softphone/softphone-call.ts';
import { count } from './command.ts';

type Statistics = Parameters<SoftphoneEvents['ended']>[1];

export const heardLine = ({ sound }: HeardSegment): string => `hearing ${describeSound(sound)}`;

export const answeredLine = (afterMs: number): string => `answered after ${Math.round(afterMs)} ms`;

const ENDED_BY: Readonly<Record<SoftphoneEnd['by'], string>> = {
  us: 'we hung up',
  peer: 'the other end hung up',
  timeout: 'the other end fell silent',
  network: 'the connection broke',
};

export const UNREACHED =
  'Nothing answers there: is the service running, are address and port right, does a firewall drop UDP?';

export function endLines(end: SoftphoneEnd): string[] {
  const { answered, by, cause, status, reason } = end;
  const why = cause === null ? '' : `: ${causeInWords(cause)}`;
  if (answered) return [`${ENDED_BY[by]}${by === 'us' ? '' : why}`];
  if (by === 'us') return ['the call was given up before it was answered'];
  // No response came: the status stands for the timeout.
  if (by !== 'peer') return [`not answered: ${reason}`, UNREACHED];
  const words = statusInWords(status ?? 0);
  return [`not answered: ${status ?? ''} ${reason}${why}`.trimEnd(), ...(words === '' ? [] : [words])];
}

export function summary(segments: readonly HeardSegment[], statistics: Statistics): string {
  const { packetsSent, packetsReceived, packetsLost, jitterMs, roundTripMs } = statistics;
  const heard = segments.map(
    ({ sound, fromMs, toMs }) => `  ${seconds(fromMs)} to ${seconds(toMs)} s  ${describeSound(sound)}\n`,
  );
  const expected = packetsReceived + packetsLost;
  const share = expected === 0 ? 0 : (100 * packetsLost) / expected;
  const trip = roundTripMs === null ? '' : `, round trip ${roundTripMs.toFixed(1)} ms`;
  return [
    `\nHeard:\n${heard.join('') || '  nothing at all: no packets came\n'}`,
    `${count(packetsSent, 'packet')} sent, ${packetsReceived} received, ${packetsLost} lost (${share.toFixed(1)} %), `,
    `jitter ${jitterMs.toFixed(1)} ms${trip}\n`,
  ].join('');
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(2).padStart(7);
