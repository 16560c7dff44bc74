// Notifies the journals, the records, the counts and the log of what happens to calls.
import { outcomeOf } from '../domain/past-call.ts';
import type { CallCounters, CallLog } from './call-log.ts';
import type { CallObserver } from './environment.ts';
import type { CallJournals } from './records/call-journals.ts';
import type { RecordWriter } from './records/record-writer.ts';

interface Observers {
  readonly journals: CallJournals;
  readonly writer: RecordWriter;
  readonly counted: CallCounters;
  readonly log: CallLog;
}

export const observeCalls = ({ journals, writer, counted, log }: Observers): CallObserver => ({
  began: (facts, isFirst) => {
    journals.began(facts);
    if (!isFirst) return;
    counted.callBegan(facts.direction);
    log.began(facts);
  },
  callerAnswered: (id, atMs) => journals.callerAnswered(id, atMs),
  answered: (id, answer) => journals.answered(id, answer),
  recovered: (facts, ageMs, answer) => journals.recovered(facts, ageMs, answer),
  legChanged: (id) => journals.legChanged(id),
  abandoned: (id) => journals.recorded(id),
  refused: (status, call) => {
    counted.callRefused(status);
    log.refused(status, call);
  },
  ended: (facts, result) => {
    writer.add(facts, result);
    const { end, answeredBy, ringMs, talkMs, trail } = result;
    const outcome = outcomeOf({ endCode: end.code, answeredBy, ringMs, talkMs, trail });
    counted.callEnded(facts, result, outcome);
    log.ended(facts, result, outcome);
  },
  failed: (error, facts, trail) => log.failed(error, facts, trail),
});
