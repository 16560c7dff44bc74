// The agent's own calls, the earlier ones of who is on the phone, and the messages in the agent's box. Each can be called back.
import type { CallSummary, Voicemail } from '../../../../client/operations.ts';
import { type Asked, useAsk } from '../../data/ask.ts';
import { apiUrl, client } from '../../data/client.ts';
import { Badge } from '../../kit/badge.tsx';
import { IconButton } from '../../kit/button.tsx';
import { Player } from '../../kit/player.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { OutcomeBadge } from '../calls/outcome-badge.tsx';
import type { Colleagues } from './colleagues.ts';

const LISTED = 30;

interface ListProps {
  readonly eid: string;
  readonly onCall: (number: string, name: string) => void;
  readonly colleagues: Colleagues;
  /** Read again when it changes. */
  readonly round: string;
}

export function OwnCalls({ eid, intercom, round, ...rest }: ListProps & { readonly intercom: string }) {
  const asked = useAsk(
    (signal) => client.listAgentCalls({ params: { eid }, query: { limit: LISTED }, signal }),
    [eid, round],
  );
  return <Calls {...rest} asked={asked} own={intercom} />;
}

export function EarlierCalls({ eid, caller, round, ...rest }: ListProps & { readonly caller: string }) {
  const asked = useAsk(
    (signal) => client.listEarlierCalls({ params: { eid }, query: { caller, limit: LISTED }, signal }),
    [eid, caller, round],
  );
  return <Calls {...rest} asked={asked} own={null} />;
}

interface CallsProps extends Pick<ListProps, 'onCall' | 'colleagues'> {
  readonly asked: Asked<{ readonly data: readonly CallSummary[] }>;
  /** The number that calls of the agent come from; null: calls to anyone. */
  readonly own: string | null;
}

function Calls({ asked: { value, error, again }, ...rest }: CallsProps) {
  const { t } = useWords();
  if (error !== null) return <Failure error={error} onAgain={again} />;
  if (!value) return <Loading />;
  if (value.data.length === 0) return <p className="records-quiet">{t('desk.calls.none')}</p>;
  return (
    <ul className="desk-list">
      {value.data.map((call) => (
        <CallRow {...rest} key={call.id} call={call} />
      ))}
    </ul>
  );
}

function CallRow({
  call,
  own,
  colleagues,
  onCall,
}: Omit<CallsProps, 'asked'> & { readonly call: CallSummary }) {
  const { t, brief, duration } = useWords();
  const isOwn = own !== null && call.caller === own;
  const number = isOwn ? call.dialled : (call.caller ?? '');
  const name = (!isOwn && call.caller_name) || (colleagues.get(number) ?? '');
  const way = isOwn
    ? t('desk.calls.out')
    : own === null
      ? t('desk.calls.to', { number: call.dialled })
      : t('desk.calls.in');
  const shown = name || number || t('voicemail.withheld');
  return (
    <li>
      <span className="desk-who">
        <span>{shown}</span>
        <small>
          {way} · <time dateTime={call.started_at}>{brief(call.started_at)}</time>
          {call.talk_ms > 0 && ` · ${duration(call.talk_ms)}`}
        </small>
      </span>
      <OutcomeBadge outcome={call.outcome} schema={call.schema} />
      {isNumber(number) && (
        <IconButton
          icon="phone"
          label={t('desk.callBack', { caller: shown })}
          onClick={() => onCall(number, name)}
        />
      )}
    </li>
  );
}

/** A visitor of a web page has no number. */
export const isNumber = (number: string): boolean => /^[+*#\d]+$/.test(number);

export function OwnVoicemail({ eid, onCall, round }: ListProps) {
  const { t } = useWords();
  const { value, error, again } = useAsk(
    (signal) => client.listAgentVoicemails({ params: { eid }, query: { limit: LISTED }, signal }),
    [eid, round],
  );
  if (error !== null) return <Failure error={error} onAgain={again} />;
  if (!value) return <Loading />;
  if (value.data.length === 0) return <p className="records-quiet">{t('voicemail.messages.none')}</p>;
  return (
    <ul className="desk-list">
      {value.data.map((message) => (
        <Message key={message.id} eid={eid} message={message} onCall={onCall} onChange={again} />
      ))}
    </ul>
  );
}

interface MessageProps extends Pick<ListProps, 'eid' | 'onCall'> {
  readonly message: Voicemail;
  readonly onChange: () => void;
}

function Message({ eid, message, onCall, onChange }: MessageProps) {
  const { t, brief, duration } = useWords();
  const attempt = useAttempt();
  const { id, caller, caller_name: name, started_at: at, duration_ms: lengthMs, heard } = message;
  const shown = name || caller || t('voicemail.withheld');
  const params = { eid, id };
  const mark = async (): Promise<void> => {
    if (await attempt(() => client.markAgentVoicemailHeard({ params }))) onChange();
  };
  return (
    <li>
      <span className="desk-who">
        <span>{shown}</span>
        <small>
          <time dateTime={at}>{brief(at)}</time> · {duration(lengthMs)}
        </small>
      </span>
      {!heard && <Badge tone="info">{t('desk.message.new')}</Badge>}
      <Player src={apiUrl(`/v1/agent/${encodeURIComponent(eid)}/voicemail/${id}/audio`)} label={shown} />
      {!heard && <IconButton icon="check" label={t('desk.message.heard')} onClick={() => void mark()} />}
      {caller !== null && isNumber(caller) && (
        <IconButton
          icon="phone"
          label={t('desk.callBack', { caller: shown })}
          onClick={() => onCall(caller, name)}
        />
      )}
    </li>
  );
}
