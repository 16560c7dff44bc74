// Listens to a leg and ignores every event: a subclass overrides those that matter to it. Methods, not closures: there is a
// listener for each leg of each call.
import type { KeySource, LegEnd, LegEvents, LegStatistics } from '../../telephony/telephony.ts';

export abstract class LegListener implements LegEvents {
  ringing(): void {}

  answered(): void {}

  keyPressed(_key: string, _source: KeySource): void {}

  played(_playback: number): void {}

  soundMissing(_playback: number): void {}

  held(): void {}

  resumed(): void {}

  oneWay(): void {}

  transferAsked(_dialled: string, answer: (accepted: boolean) => void): void {
    answer(false);
  }

  abstract ended(end: LegEnd, statistics: LegStatistics | Promise<LegStatistics>): void;
}
