// What the trail of a call says of its sound and of other nodes.
import type { Side } from './call-input.ts';

export const SHARING_LOST = 'The other nodes cannot be asked: agents and queues are as this node knows them.';

export function oneWayText(side: Side, from: string | null): string {
  const who = side === 'caller' ? 'the caller' : 'the called side';
  const elsewhere = `RTP arrives from ${from}, which is not the address that was signalled, and is not accepted.`;
  return `No sound comes from ${who}.${from === null ? '' : ` ${elsewhere}`}`;
}
