// What a leg tells and nobody wants to know: the rest is named where it is listened to.
import type { LegEvents } from '../../telephony/telephony.ts';

export const nothing = (): void => undefined;

export const QUIET: Omit<LegEvents, 'ended'> = {
  ringing: nothing,
  answered: nothing,
  keyPressed: nothing,
  played: nothing,
  soundMissing: nothing,
  held: nothing,
  resumed: nothing,
  oneWay: nothing,
  transferAsked: (_dialled, answer) => answer(false),
};
