import type { WorkerEvent } from '../orders/orders.ts';
import type { Sockets } from '../sockets/sockets.ts';

export interface StreamContext {
  readonly sockets: Sockets;
  readonly cname: string;
  readonly rtpTimeoutMs: number;
  emit(event: WorkerEvent): void;
}
