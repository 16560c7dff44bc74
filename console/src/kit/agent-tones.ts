import type { ShownState } from '../data/live-state.ts';
import type { Tone } from './badge.tsx';

/** Green only where a call would be answered. */
export const STATE_TONES: Readonly<Record<ShownState, Tone>> = {
  free: 'good',
  ringing: 'info',
  talking: 'info',
  wrap_up: 'neutral',
  paused: 'warn',
  off_duty: 'neutral',
  blocked: 'bad',
  unreachable: 'warn',
  unknown: 'neutral',
};
