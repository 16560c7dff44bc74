// The SIP messages of a call as a ladder: a column for each party, an arrow for each message.
import type { CallRecord } from '../../../../client/operations.ts';

export type LadderLine = NonNullable<CallRecord['ladder']>[number];
export type Leg = NonNullable<CallRecord['legs']>[number];

export interface Party {
  readonly key: string;
  readonly role: 'caller' | 'us' | 'called';
  readonly number: string;
  /** Which phone, if several rang; else null. */
  readonly phone: number | null;
  /** Its User-Agent. */
  readonly userAgent: string | null;
}

export interface Arrow {
  readonly line: LadderLine;
  /** Columns of `parties`. */
  readonly from: number;
  readonly to: number;
  readonly tone: 'request' | 'progress' | 'good' | 'bad';
}

export interface LadderView {
  readonly parties: readonly Party[];
  readonly arrows: readonly Arrow[];
}

/** The caller is left of Dialtree, called parties are right of it. */
export function ladderView(lines: readonly LadderLine[], legs: readonly Leg[]): LadderView {
  const found = new Map<string, { party: Party; userAgent: string | null }>();
  for (const line of lines) {
    const key = keyOf(line);
    const known = found.get(key);
    const userAgent = line.user_agent ?? null;
    if (known) known.userAgent ??= userAgent;
    else found.set(key, { party: partyOf(key, line, legs), userAgent });
  }
  const named = [...found.values()].map(({ party, userAgent }) => ({ ...party, userAgent }));
  const us: Party = { key: 'us', role: 'us', number: '', phone: null, userAgent: null };
  const parties = [
    ...named.filter(({ role }) => role === 'caller'),
    us,
    ...named.filter(({ role }) => role === 'called'),
  ];
  const columns = new Map(parties.map(({ key }, index) => [key, index]));
  const ours = columns.get('us') ?? 0;
  const arrows = lines.map((line): Arrow => {
    const theirs = columns.get(keyOf(line)) ?? ours;
    const [from, to] = line.direction === 'in' ? [theirs, ours] : [ours, theirs];
    return { line, from, to, tone: toneOf(line.what) };
  });
  return { parties, arrows };
}

const keyOf = ({ leg, phone }: LadderLine): string => `${leg ?? 'moved'} ${phone ?? 0}`;

function partyOf(key: string, { leg, phone }: LadderLine, legs: readonly Leg[]): Party {
  const known = leg === null ? undefined : legs[leg];
  // The transferred party is in no list of this call: if the caller is, it was the called one.
  const moved = legs.some(({ role }) => role === 'caller') ? 'called' : 'caller';
  return {
    key,
    role: known?.role ?? moved,
    number: known?.number ?? '',
    phone: phone ?? null,
    userAgent: null,
  };
}

export function toneOf(what: string): Arrow['tone'] {
  const status = Number(what.slice(0, 3));
  if (!Number.isInteger(status) || status < 100) return 'request';
  return status < 200 ? 'progress' : status < 300 ? 'good' : 'bad';
}
