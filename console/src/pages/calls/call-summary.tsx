import type { CallRecord } from '../../../../client/operations.ts';
import { useNames } from '../../data/names.ts';
import { useWords } from '../../words/words.tsx';
import { callerText } from './caller-text.ts';
import { type Fact, Facts } from './facts.tsx';
import { NamedLink } from './named-link.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';

export function CallSummaryCard({ call }: { readonly call: CallRecord }) {
  const words = useWords();
  const { t, dateTime, duration } = words;
  const lasted = Date.parse(call.ended_at) - Date.parse(call.started_at);
  const facts: readonly Fact[] = [
    [t('call.began'), dateTime(call.started_at)],
    [t('call.duration'), duration(call.duration_ms ?? lasted)],
    [t('call.ring'), duration(call.ring_ms)],
    [t('call.talk'), duration(call.talk_ms)],
    ...(call.queue_ms ? [[t('call.queue'), duration(call.queue_ms)] as const] : []),
    [t('call.direction'), t(`calls.direction.${call.direction}`)],
  ];
  return (
    <section className="card calls-summary">
      <div className="calls-summary-head">
        <h2>{t('call.summary')}</h2>
        <OutcomeBadge outcome={call.outcome} />
      </div>
      <p>{useSentence(call)}</p>
      <p>
        <NamedLink reference={call.entry} />
        {call.answered_by !== null && (
          <>
            {' → '}
            <NamedLink reference={`extension||${call.answered_by}`} />
          </>
        )}
      </p>
      {call.end && (
        <div className="calls-end">
          <h3>{t('call.ended')}</h3>
          <p>{call.end.text}</p>
          <p className="field-hint">{t('call.cause', { cause: call.end.cause, word: call.end.word })}</p>
        </div>
      )}
      <Facts facts={facts}>
        {call.sip_call_id && (
          <div className="calls-facts-wide">
            <dt>{t('call.id')}</dt>
            <dd>
              <code>{call.sip_call_id}</code>
            </dd>
          </div>
        )}
      </Facts>
    </section>
  );
}

function useSentence(call: CallRecord): string {
  const words = useWords();
  const names = useNames();
  const { t, duration } = words;
  return t(`call.said.${call.outcome ?? 'unknown'}`, {
    caller: callerText(call, words),
    dialled: call.dialled,
    entry: names(call.entry).name,
    agent: call.answered_by === null ? t('call.someone') : names(`extension||${call.answered_by}`).name,
    ring: duration(call.ring_ms),
    talk: duration(call.talk_ms),
    duration: duration(call.duration_ms ?? Date.parse(call.ended_at) - Date.parse(call.started_at)),
  });
}
