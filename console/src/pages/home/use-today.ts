// The figures of the overview that are not live: asked when the page opens, after calls that end, and every five minutes.
import type { Asked } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useLive } from '../../data/live.ts';
import { useMay } from '../../data/may.ts';
import { useRenewed } from '../../data/renewed.ts';
import { askOpenCalls, type OpenCalls } from '../calls/open-calls.ts';
import { addDays, apiSpan, dayOf, type Range, viewerZone } from '../statistics/range.ts';
import { byHour, type Compared, compared } from './overview.ts';

const RENEWAL = {
  events: ['call.ended', 'voicemail.received', 'callback.asked', 'callback.ended'],
  everyMs: 300_000,
};
/** Messages that are counted. More are not. */
const MOST = 500;

export interface Today extends Compared {
  readonly range: Range;
  /** By the hour of the day: of today the hours that are over, and of the weekday before all. */
  readonly hours: readonly number[];
  readonly hoursBefore: readonly number[];
  readonly open: OpenCalls;
  /** Null if the user may not hear them. */
  readonly voicemail: { readonly count: number; readonly isCut: boolean } | null;
}

async function readToday(signal: AbortSignal, mayHear: boolean): Promise<Today> {
  const zone = viewerZone();
  const now = new Date();
  const day = dayOf(now, zone);
  const range = { from: day, to: day };
  const weekday = addDays(day, -7);
  const hoursOf = (one: Range) =>
    client.getStatistics({ query: { ...apiSpan(one, zone), by: 'hour' }, signal });
  const [today, before, open, voicemails] = await Promise.all([
    hoursOf(range),
    hoursOf({ from: weekday, to: weekday }),
    askOpenCalls(signal),
    mayHear ? client.listVoicemails({ query: { heard: 'false', limit: MOST }, signal }) : null,
  ]);
  const [hours, hoursBefore] = [byHour(today.data), byHour(before.data)];
  return {
    ...compared(hours, hoursBefore, now.getHours() + now.getMinutes() / 60),
    range,
    hours: hours.slice(0, now.getHours()),
    hoursBefore,
    open,
    voicemail: voicemails && { count: voicemails.data.length, isCut: voicemails.next_cursor !== null },
  };
}

export function useToday(): Asked<Today> {
  const mayHear = useMay()('listVoicemails');
  // The first snapshot comes while the figures are asked for; before a later one calls may have been missed.
  const snapshots = Math.max(1, useLive().round);
  return useRenewed((signal) => readToday(signal, mayHear), RENEWAL, [snapshots, mayHear]);
}
