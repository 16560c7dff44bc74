// Which calls a third party can listen to.
import type { Phase } from '../../flow/call-state.ts';
import { ROOM_PHASES } from '../../flow/room-phase.ts';
import type { ListenMode } from '../../telephony/telephony.ts';

/** Two sides talk, or a caller and a voice bot, which takes no whispers. */
export const isListenable = (phase: Phase, mode: ListenMode): boolean =>
  phase.name === 'connected' || (isWithBot(phase) && mode !== 'whisper');

export const isWithBot = (phase: Phase): boolean => phase.name === 'streaming' && phase.stage === 'talking';

/** At a conference room, in it or before its door. */
export const isInRoom = ({ name }: Phase): boolean => ROOM_PHASES.has(name);
