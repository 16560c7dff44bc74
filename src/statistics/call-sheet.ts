// Call records as a table for people: names instead of ids, local times, and how long callers waited.
import type { Words } from '../domain/words/words.ts';
import { offsetMs } from '../flow/hours/zone.ts';
import type { FoundCall } from '../storage/ports/calls.ts';
import type { SheetColumn, SheetValue } from './sheet.ts';

export interface CallNames {
  agent(eid: string): string;
  /** The name of what a reference such as `ivr||main` leads to. */
  destination(reference: string): string;
}

type Column = Omit<SheetColumn, 'title'> & {
  readonly name: keyof Words['columns'];
  readonly value: (call: FoundCall, names: CallNames, zone: string) => SheetValue;
};

const local = (ms: number, zone: string): number => ms + offsetMs(zone, ms);

const COLUMNS: readonly Column[] = [
  { name: 'started', kind: 'moment', width: 20, value: (call, _, zone) => local(call.startedAtMs, zone) },
  { name: 'direction', kind: 'text', width: 11, value: ({ direction }) => direction },
  { name: 'caller', kind: 'text', width: 18, value: ({ caller }) => caller },
  { name: 'callerName', kind: 'text', width: 22, value: ({ callerName }) => callerName },
  { name: 'dialled', kind: 'text', width: 18, value: ({ dialled }) => dialled },
  { name: 'ledTo', kind: 'text', width: 24, value: ({ entry }, names) => names.destination(entry) },
  { name: 'outcome', kind: 'text', width: 13, value: ({ outcome }) => outcome },
  { name: 'endedBecause', kind: 'text', width: 20, value: ({ endCode }) => endCode },
  {
    name: 'answeredBy',
    kind: 'text',
    width: 22,
    value: ({ answeredBy }, names) => (answeredBy === null ? null : names.agent(answeredBy)),
  },
  { name: 'waited', kind: 'time', width: 10, value: ({ waitMs }) => waitMs },
  { name: 'rang', kind: 'time', width: 10, value: ({ ringMs }) => ringMs },
  { name: 'talked', kind: 'time', width: 10, value: ({ talkMs }) => talkMs },
  {
    name: 'duration',
    kind: 'time',
    width: 10,
    value: ({ startedAtMs, endedAtMs }) => Math.max(0, endedAtMs - startedAtMs),
  },
  { name: 'callId', kind: 'text', width: 28, value: ({ id }) => id },
];

export const callColumns = (words: Words): SheetColumn[] =>
  COLUMNS.map(({ name, kind, width }) => ({
    title: words.columns[name],
    kind,
    ...(width === undefined ? {} : { width }),
  }));

export const callRow = (call: FoundCall, names: CallNames, zone: string): SheetValue[] =>
  COLUMNS.map(({ value }) => value(call, names, zone));
