import type { CallRecord } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { apiUrl, client, DialtreeError } from '../../data/client.ts';
import { Icon } from '../../kit/icon.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Player } from '../../kit/player.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { CallBack } from '../../phone-dock/call-this.tsx';
import { asLeft, Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { CallLadder } from './call-ladder.tsx';
import { CallLegs } from './call-legs.tsx';
import { CallQuality } from './call-quality.tsx';
import { CallSteps } from './call-steps.tsx';
import { agentNameIn, CallSummaryCard } from './call-summary.tsx';
import { callerText } from './caller-text.ts';

export function OneCall({ id }: { readonly id: string }) {
  const words = useWords();
  const { t } = words;
  const { value, error, again } = useAsk((signal) => client.getCallRecord({ params: { id }, signal }), [id]);
  const title = value ? t('call.title', { caller: callerText(value, words) }) : t('calls.title');
  const missing = error instanceof DialtreeError && error.status === 404;
  return (
    <Frame title={title} actions={value && <Actions call={value} />}>
      <p>
        <Link to={asLeft('/calls')} className="back-link">
          <Icon name="back" size={16} /> {t('call.back')}
        </Link>
      </p>
      {missing ? (
        <Empty icon="search" title={t('call.missing.title')} text={t('call.missing.text')} />
      ) : error ? (
        <Failure error={error} onAgain={again} />
      ) : value ? (
        <Whole call={value} />
      ) : (
        <Loading />
      )}
    </Frame>
  );
}

function Actions({ call }: { readonly call: CallRecord }) {
  const { t } = useWords();
  return (
    <>
      <CallBack number={call.caller} name={call.caller_name ?? ''} />
      <Link className="button button-primary" to={`/map?replay=${encodeURIComponent(call.id)}`}>
        <Icon name="undo" />
        <span>{t('call.replay')}</span>
      </Link>
    </>
  );
}

function Whole({ call }: { readonly call: CallRecord }) {
  const legs = call.legs ?? [];
  return (
    <div className="calls-one">
      <div className="calls-column">
        <CallSummaryCard call={call} />
        <CallLegs legs={legs} />
        <Sounds call={call} />
        <CallQuality legs={legs} />
      </div>
      <div className="calls-column">
        <CallSteps agentName={(eid) => agentNameIn(call, eid)} steps={call.steps} keys={call.keys ?? []} />
        <CallLadder lines={call.ladder ?? []} leftOut={call.ladder_left_out ?? 0} legs={legs} />
      </div>
    </div>
  );
}

function Sounds({ call: { recording, voicemail } }: { readonly call: CallRecord }) {
  const { t } = useWords();
  return (
    <>
      {recording && (
        <section className="card">
          <h2>{t('call.recording')}</h2>
          <Player
            src={apiUrl(`/v1/call/recording/${encodeURIComponent(recording)}/audio`)}
            label={t('call.recording.label')}
          />
          <p className="field-hint">{t('call.recording.hint')}</p>
        </section>
      )}
      {voicemail && (
        <section className="card">
          <h2>{t('call.voicemail')}</h2>
          <Player
            src={apiUrl(`/v1/voicemail/${encodeURIComponent(voicemail)}/audio`)}
            label={t('call.voicemail.label')}
          />
        </section>
      )}
    </>
  );
}
