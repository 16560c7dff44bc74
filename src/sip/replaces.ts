// Dialogs that a request outside of them names: Replaces (RFC 3891), as its recipient has them, and Target-Dialog (RFC 4538), as its
// sender has them.

export interface Replaces {
  readonly callId: string;
  /** Our tag. */
  readonly toTag: string;
  /** The peer's. `0` also stands for none (RFC 3891 §3). */
  readonly fromTag: string;
  /** Only if it has not been answered. */
  readonly earlyOnly: boolean;
}

/** A dialog that was found: who has it, and whether it is answered. */
export interface NamedDialog<Owner> {
  readonly owner: Owner;
  readonly isEarly: boolean;
  /** We sent its INVITE: only then may an early dialog be replaced by an INVITE (RFC 3891 §3). */
  readonly isOurs: boolean;
}

/** Null if not of that form. Parameters that we do not know are ignored. */
export const parseReplaces = (text: string): Replaces | null => parse(text, 'to-tag', 'from-tag');

/** What a Target-Dialog names, in the same form. */
export const parseTargetDialog = (text: string): Replaces | null => parse(text, 'remote-tag', 'local-tag');

function parse(text: string, ours: string, theirs: string): Replaces | null {
  const [callId = '', ...params] = text.split(';').map((part) => part.trim());
  let [toTag, fromTag, earlyOnly] = ['', '', false];
  for (const param of params) {
    const [name = '', value = ''] = param.split('=', 2).map((part) => part.trim());
    if (name.toLowerCase() === ours) toTag ||= value;
    else if (name.toLowerCase() === theirs) fromTag ||= value;
    else if (name.toLowerCase() === 'early-only') earlyOnly = true;
  }
  return callId === '' || toTag === '' || fromTag === '' ? null : { callId, toTag, fromTag, earlyOnly };
}

/** Whether a peer's tag is the one that was named. */
export const isTag = (tag: string, named: string): boolean => tag === named || (tag === '' && named === '0');
