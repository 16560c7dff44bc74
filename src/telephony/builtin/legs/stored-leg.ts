// A leg as text: its dialog and what was agreed on its media.
import type { Negotiation, StoredNegotiation } from '../../../media/sdp/negotiation.ts';
import type { Session, StoredDialog } from '../../../sip/session.ts';

export interface StoredLeg {
  readonly dialog: StoredDialog;
  readonly media: StoredNegotiation;
  /** As the leg has them: a call in a loop is not let out of it by the death of a node. */
  readonly hops: number;
  readonly passes: number;
}

/** Route sets and names come from peers; a leg with longer ones is not stored. */
export const MAX_STORED_LEG = 6_000;

export function storedLeg(
  session: Pick<Session, 'stored'>,
  negotiation: Pick<Negotiation, 'stored'> | null,
  { hops, passes }: Pick<StoredLeg, 'hops' | 'passes'>,
): string | null {
  const dialog = session.stored();
  const media = dialog && negotiation?.stored();
  if (!dialog || !media) return null;
  const text = JSON.stringify({ dialog, media, hops, passes } satisfies StoredLeg);
  return text.length > MAX_STORED_LEG ? null : text;
}

/** Null if not one of ours, or of a version that wrote something else. */
export function readStoredLeg(text: string): StoredLeg | null {
  try {
    const leg = JSON.parse(text) as Partial<StoredLeg> | null;
    if (typeof leg?.dialog?.local !== 'string' || typeof leg.media?.settings?.codec !== 'string') return null;
    if (!Array.isArray(leg.dialog.routes) || !Array.isArray(leg.media.media)) return null;
    return leg as StoredLeg;
  } catch {
    return null;
  }
}
