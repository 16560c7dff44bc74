import type { WorkerEvent } from '../commands/commands.ts';
import type { Sockets } from '../sockets/sockets.ts';
import type { Lateness } from './lateness.ts';

/** What the wheel of the worker calls. */
export interface Ticked {
  /** The id of its stream or conference: its failure is reported by it. */
  readonly id: number;
  isBroken: boolean;
  tick(nowMs: number): void;
}

export interface StreamContext {
  readonly sockets: Sockets;
  readonly cname: string;
  readonly rtpTimeoutMs: number;
  /** The lateness of the worker, with all its streams. */
  readonly lateness: Lateness;
  /** Pairs of bridged streams. */
  bridges: number;
  emit(event: WorkerEvent): void;
  /** Calls it every few milliseconds until the returned function is called. */
  visitOften(item: Ticked): () => void;
}
