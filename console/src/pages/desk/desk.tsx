// The agent's desk: a phone in the browser, with the agent's state, calls and messages.
import './desk.css';
import { useState } from 'react';
import type { StampedAgent } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useRecords } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Button, IconButton } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { DeviceFields } from '../../phone/device-fields.tsx';
import { microphoneMissing } from '../../phone/devices.ts';
import { useWords } from '../../words/words.tsx';
import { CallCard } from './call-card.tsx';
import { EarlierCalls, isNumber, OwnCalls, OwnVoicemail } from './call-lists.tsx';
import { type Colleagues, useColleagues, withName } from './colleagues.ts';
import type { DeskPhone, DeskView } from './desk-phone.ts';
import { Dialler } from './dialler.tsx';
import { OwnStatus } from './own-status.tsx';
import { callerOf, mayAskToNotify, useRingback, useRinging } from './ringing.ts';
import { useDesk, useDeskView, useOwnState, useRound } from './use-desk.ts';

const CHOSEN = 'dialtree.desk.agent';

export function Page() {
  const { t } = useWords();
  const { account } = useSession();
  const own = account?.user?.agent ?? null;
  const [chosen, setChosen] = useState(() => localStorage.getItem(CHOSEN));
  const eid = own ?? chosen;
  const choose = (next: string): void => {
    localStorage.setItem(CHOSEN, next);
    setChosen(next);
  };
  if (account?.user?.role === 'agent' && own === null)
    return (
      <Frame title={t('desk.title')}>
        <Empty icon="agent" title={t('desk.noAgent.title')} text={t('desk.noAgent.text')} />
      </Frame>
    );
  return (
    <Frame title={t('desk.title')} intro={t('desk.intro')}>
      {own === null && <WhichAgent eid={eid} onChoose={choose} />}
      {account && eid !== null && <OfAgent key={eid} account={account.id} eid={eid} />}
    </Frame>
  );
}

/** Who is no agent, such as an owner who tries it, chooses one. */
function WhichAgent({
  eid,
  onChoose,
}: {
  readonly eid: string | null;
  readonly onChoose: (eid: string) => void;
}) {
  const { hinted, t } = useWords();
  const { items } = useRecords('agent');
  const options = items.map(({ eid: value, name, intercom }) => ({ value, label: `${name} (${intercom})` }));
  return (
    <div className="desk-which">
      <SelectField
        {...hinted('desk.which')}
        value={eid ?? ''}
        options={[{ value: '', label: t('desk.which.none') }, ...options]}
        onChange={(next) => next !== '' && onChoose(next)}
      />
    </div>
  );
}

function OfAgent({ account, eid }: { readonly account: string; readonly eid: string }) {
  const { value, error, again } = useAsk((signal) => client.getAgent({ params: { eid }, signal }), [eid]);
  if (error !== null) return <Failure error={error} onAgain={again} />;
  return value ? <WithAgent account={account} agent={value} /> : <Loading />;
}

function WithAgent({ account, agent }: { readonly account: string; readonly agent: StampedAgent }) {
  const desk = useDesk(account, agent.eid, agent.intercom);
  return desk ? <DeskBody desk={desk} agent={agent} /> : <Loading />;
}

function DeskBody({ desk, agent }: { readonly desk: DeskPhone; readonly agent: StampedAgent }) {
  const { t } = useWords();
  const view = useDeskView(desk);
  const colleagues = useColleagues();
  const { connection } = view.phone;
  const calls = view.phone.calls.map((call) => withName(call, colleagues));
  const ringing = calls.find(({ phase }) => phase === 'ringing');
  const isTalking = calls.some(({ phase }) => phase === 'talking');
  const live = calls.filter(({ phase }) => phase !== 'ended');
  const phases = live.map(({ id, phase }) => `${id} ${phase}`).join(' ');
  const own = useOwnState(agent.eid, phases);
  const round = useRound(phases);
  const [setUp, setSetUp] = useState(false);
  useRinging(ringing, view.role === 'phone', isTalking);
  useRingback(
    calls.some(({ isRingingThere }) => isRingingThere),
    view.role === 'phone',
  );
  const isReady = connection === 'ready';
  const onCall = (number: string, name = ''): void => desk.order({ act: 'call', number, name });
  return (
    <div className="desk">
      <p className="unseen" role="status">
        {ringing && t('desk.ringing.notice', { caller: callerOf(ringing) })}
      </p>
      <div className="desk-top">
        <OwnStatus eid={agent.eid} own={own} />
        <span className="desk-line">
          <Connected view={view} desk={desk} />
          <Notifying />
          <IconButton icon="settings" label={t('phone.devices')} onClick={() => setSetUp(true)} />
        </span>
      </div>
      <div className="desk-phone">
        {/* Ringing first, then who is talked to. */}
        {calls
          .toSorted((one, other) => Number(other.phase === 'ringing') - Number(one.phase === 'ringing'))
          .map((call) => (
            <CallCard
              key={call.id}
              call={call}
              order={desk.order}
              phoneCall={desk.find(call.id)}
              other={live.find(({ id }) => id !== call.id)}
            />
          ))}
        {live.length === 0 && <Dialler isReady={isReady} onCall={onCall} />}
      </div>
      <Lists
        agent={agent}
        talksTo={live.map(({ number }) => number).find((each) => isNumber(each) && !colleagues.has(each))}
        colleagues={colleagues}
        round={round}
        onCall={onCall}
      />
      <Dialog title={t('phone.devices')} open={setUp} onClose={() => setSetUp(false)}>
        <DeviceFields
          onChange={(use) => {
            for (const call of desk.calls) {
              if (use === 'speaker') call.route();
              else void call.changeMicrophone().catch(() => undefined);
            }
          }}
        />
      </Dialog>
    </div>
  );
}

function Connected({ view, desk }: { readonly view: DeskView; readonly desk: DeskPhone }) {
  const { t } = useWords();
  const { role, phone } = view;
  if (role === 'mirror') return <Notice tone="info">{t('desk.mirror')}</Notice>;
  const fault = microphoneMissing();
  if (fault !== null) return <Notice tone="bad">{t(`phone.fault.${fault}`)}</Notice>;
  if (phone.connection === 'refused') return <Failure error={desk.error} />;
  const text = t(`phone.connection.${phone.connection}`);
  return (
    <span role="status">
      {phone.connection === 'lost' ? (
        <Notice tone="bad">{text}</Notice>
      ) : (
        <Badge tone={phone.connection === 'ready' ? 'good' : 'info'}>{text}</Badge>
      )}
    </span>
  );
}

function Notifying() {
  const { t } = useWords();
  const [mayAsk, setMayAsk] = useState(mayAskToNotify);
  if (!mayAsk) return null;
  const ask = (): void => void Notification.requestPermission().finally(() => setMayAsk(mayAskToNotify()));
  return (
    <Button icon="bell" onClick={ask}>
      {t('desk.notify')}
    </Button>
  );
}

interface ListsProps {
  readonly agent: StampedAgent;
  /** A number from outside. */
  readonly talksTo: string | undefined;
  readonly colleagues: Colleagues;
  readonly round: string;
  readonly onCall: (number: string, name: string) => void;
}

type ListName = 'earlier' | 'calls' | 'voicemail';

function Lists({ agent, talksTo, colleagues, round, onCall }: ListsProps) {
  const { t } = useWords();
  const [selected, setSelected] = useState<ListName>('calls');
  const names: readonly ListName[] =
    talksTo === undefined ? ['calls', 'voicemail'] : ['earlier', 'calls', 'voicemail'];
  const [seen, setSeen] = useState(talksTo);
  // Who calls is looked at first; afterwards what was there before.
  if (seen !== talksTo) {
    setSeen(talksTo);
    setSelected(talksTo === undefined ? 'calls' : 'earlier');
  }
  const { eid, intercom } = agent;
  const shared = { eid, colleagues, round, onCall };
  return (
    <div className="desk-lists">
      <Tabs
        label={t('desk.lists')}
        tabs={names.map((id) => ({ id, label: t(`desk.list.${id}`) }))}
        selected={selected}
        onSelect={(id) => setSelected(names.find((name) => name === id) ?? 'calls')}
      >
        {selected === 'earlier' && talksTo !== undefined && <EarlierCalls {...shared} caller={talksTo} />}
        {selected === 'calls' && <OwnCalls {...shared} intercom={intercom} />}
        {selected === 'voicemail' && <OwnVoicemail {...shared} />}
      </Tabs>
    </div>
  );
}
