// Listens to a leg and ignores every event: a subclass overrides those that matter to it. Methods, not closures: there is a
// listener for each leg of each call.
import type {
  KeySource,
  LegEnd,
  LegEvents,
  LegStatistics,
  ReplacedLeg,
  TransferAnswer,
} from '../../telephony/telephony.ts';

export abstract class LegListener implements LegEvents {
  ringing(): void {}

  earlyMedia(): void {}

  answered(): void {}

  keyPressed(_key: string, _source: KeySource): void {}

  played(_playback: number): void {}

  soundMissing(_playback: number): void {}

  held(): void {}

  resumed(): void {}

  oneWay(_from: string | null): void {}

  changed(): void {}

  transferAsked(
    _dialled: string,
    _replaces: ReplacedLeg | null,
    answer: (answer: TransferAnswer) => void,
  ): void {
    answer('forbidden');
  }

  abstract ended(end: LegEnd, statistics: LegStatistics | Promise<LegStatistics>): void;
}
