// What a status of the network means for a message (SMPP 3.4 §5.1.3). What is not listed may pass: it is tried again.

const THROTTLED: ReadonlySet<number> = new Set([0x14, 0x58]);
const THROTTLED_MS = 5000;

/** The message itself is at fault; sending it again changes nothing. */
const REFUSED: Readonly<Record<number, string>> = {
  1: 'its length is wrong',
  10: 'the sender is not allowed',
  11: 'there is no such recipient',
  21: 'this service is not allowed',
  51: 'there are no recipients',
  67: 'the class of the message is wrong',
  72: 'the type of the sender is wrong',
  73: 'the plan of the sender is wrong',
  80: 'the type of the recipient is wrong',
  81: 'the plan of the recipient is wrong',
  97: 'its time is wrong',
  98: 'its validity is wrong',
};

export type StatusVerdict =
  | { readonly retry: string; readonly afterMs?: number }
  | { readonly failed: string }
  | null;

/** Null if it was taken. */
export function judgeStatus(status: number): StatusVerdict {
  if (status === 0) return null;
  const code = `0x${status.toString(16).padStart(8, '0')}`;
  if (THROTTLED.has(status))
    return { retry: `The network takes no more for now (${code}).`, afterMs: THROTTLED_MS };
  const why = REFUSED[status];
  if (why) return { failed: `The network refused it: ${why} (${code}).` };
  return { retry: `The network did not take it (${code}).` };
}
