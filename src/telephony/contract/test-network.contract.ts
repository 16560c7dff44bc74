// The remote side of the contract: phones that a test controls, over real sockets or without any.
import type { ListenMode, PlayableSound, Telephony } from '../telephony.ts';

/** A person with a phone in a call, on either side. */
export interface RemoteParty {
  press(keys: string): Promise<void>;
  sendSound(ms: number): Promise<void>;
  sendSilence(ms: number): Promise<void>;
  hold(): Promise<void>;
  resume(): Promise<void>;
  hangUp(): Promise<void>;
  /** Resolves when the other side ended or cancelled the call. */
  gone(): Promise<void>;
}

export interface Caller extends RemoteParty {
  /** 200 when the call was answered, or the status it was refused with. */
  status(): Promise<number>;
  retryAfter(): string;
}

export interface Callee extends RemoteParty {
  ring(): Promise<void>;
  /** Rings with sound of its own (early media). */
  ringWithSound(): Promise<void>;
  answer(): Promise<void>;
  refuse(how: 'busy' | 'declined' | 'unreachable'): Promise<void>;
}

export interface TestNetwork {
  readonly telephony: Telephony;
  call(dialled: string): Promise<Caller>;
  /** So many phones of one agent; each returns the next call that reaches it. */
  register(id: string, phones: number): Promise<readonly { called(): Promise<Callee> }[]>;
  /** Resolves when each of the two hears the other. */
  talk(one: RemoteParty, other: RemoteParty): Promise<void>;
  /** Resolves when it hears SOUND, because the other side holds. */
  hearsOnHold(party: RemoteParty): Promise<void>;
  /** Resolves when `listener` hears both, and is heard by exactly those that the mode says. */
  listens(listener: RemoteParty, target: RemoteParty, partner: RemoteParty, mode: ListenMode): Promise<void>;
  /** Resolves when each of two or three hears the others, and nothing of itself. */
  confer(parties: readonly RemoteParty[]): Promise<void>;
  close(): Promise<void>;
}

/** A short sound that the network can play. */
export const SOUND: PlayableSound = { kind: 'recording', sha256: 'sound' };
export const MISSING: PlayableSound = { kind: 'recording', sha256: 'missing' };

export async function until(condition: () => boolean, withinMs = 30_000): Promise<void> {
  const untilMs = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > untilMs) throw new Error(`the condition was not met within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
