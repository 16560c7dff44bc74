// What is noted of a running call, for a process that is killed: in a file of the data folder (running-calls.ts), and in the database
// for the other nodes (live-call-rows.ts).
import type { Answer, CallFacts } from './call-record.ts';

/** Until the call is connected, all that is known of its answer. */
export type CallerAnswer = Pick<Answer, 'callerAnsweredMs'>;
/** With the service's own answer, if it came before it was written. */
export type JournalBegin = CallFacts & Partial<CallerAnswer>;

export interface CallJournal {
  began(facts: CallFacts): void;
  callerAnswered(id: string, callerAnsweredMs: number): void;
  answered(id: string, answer: Answer | CallerAnswer): void;
  /** Its record is written. */
  recorded(id: string): void;
}
