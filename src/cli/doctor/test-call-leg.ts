// One end of a test call: what it hears and which keys reach it, to be waited for with an end.
import { Hearing } from '../../media/audio/hearing.ts';
import { describeSound, type SoundClass } from '../../media/audio/sound-class.ts';
import type {
  SoftphoneCall,
  SoftphoneEnd,
  SoftphoneEvents,
} from '../../telephony/softphone/softphone-call.ts';

/** A sample of µ-law that is louder than a whisper: its code without the sign is small. */
const LOUD_CODE = 0x50;
const LOUD_SAMPLES = 40;
const LOOK_MS = 5;
const SAME_HZ = 15;

export class TestCallLeg implements SoftphoneEvents {
  call: SoftphoneCall | null = null;
  keys = '';
  end: SoftphoneEnd | null = null;
  answeredMs: number | null = null;
  /** When a block that is not silence came last for the first time since `listen`. */
  loudMs: number | null = null;
  readonly hearing = new Hearing();

  signalled(): void {}

  oneWay(): void {}

  answered(): void {
    this.answeredMs ??= performance.now();
  }

  heard(audio: Buffer): void {
    const nowMs = performance.now();
    if (this.loudMs === null && isLoud(audio)) this.loudMs = nowMs;
    this.hearing.push(audio, nowMs);
  }

  keyPressed(key: string): void {
    this.keys += key;
  }

  ended(end: SoftphoneEnd): void {
    this.end = end;
  }

  hears(hz: number): boolean {
    return this.hearing.segments.some(
      ({ sound }) => sound.kind === 'tone' && Math.abs(sound.hz - hz) < SAME_HZ,
    );
  }

  get words(): string {
    const kinds = new Set(this.hearing.segments.map(({ sound }) => describeSound(sound)));
    return [...kinds].join(', ') || 'nothing: no packets came';
  }

  get sounds(): readonly SoundClass['kind'][] {
    return this.hearing.segments.map(({ sound }) => sound.kind);
  }
}

function isLoud(audio: Uint8Array): boolean {
  let loud = 0;
  for (const byte of audio) if ((byte & 0x7f) < LOUD_CODE) loud++;
  return loud >= LOUD_SAMPLES;
}

export async function until(isTrue: () => boolean | Promise<boolean>, withinMs: number): Promise<boolean> {
  const endMs = performance.now() + withinMs;
  while (!(await isTrue())) {
    if (performance.now() > endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return true;
}
