// The phone of one request: as a caller from outside, or as an agent. Begins its call once it is connected.
import { useEffect, useMemo, useRef, useState } from 'react';
import { client } from '../data/client.ts';
import { useRecords } from '../data/records.ts';
import { useSession } from '../data/session.tsx';
import { Button } from '../kit/button.tsx';
import { sentenceOf } from '../kit/faults.ts';
import { Picker } from '../kit/picker.tsx';
import { Loading, Notice } from '../kit/states.tsx';
import { microphoneMissing } from '../phone/devices.ts';
import { Phone } from '../phone/phone.ts';
import { guestPhone, usePhone, usePhoneView } from '../phone/use-phone.ts';
import { useWords } from '../words/words.tsx';
import { CallCard } from './call-card.tsx';
import { type DockRequest, keepForReload, openDock, useDock } from './dock-store.ts';

type Of<Kind extends DockRequest['kind']> = Extract<DockRequest, { kind: Kind }>;
type AgentRequest = Of<'number' | 'listen'>;

export function GuestLine({ request }: { readonly request: Of<'destination'> }) {
  const { to, name } = request;
  const phone = usePhone(() => guestPhone(to), to);
  useOnceReady(phone, () => void phone.call(null, name));
  return <Calls phone={phone} request={request} mayHold={false} />;
}

const STORED = 'dialtree.listen.agent';

/** Who the page is: the agent of the user, else the one of the last time, else it asks. */
export function AgentLine({ request }: { readonly request: AgentRequest }) {
  const { items, state } = useRecords('agent');
  const own = useSession().account?.user?.agent ?? localStorage.getItem(STORED) ?? '';
  const [chosen, setChosen] = useState(request.kind === 'listen' ? request.agent : own);
  const agent = items.find(({ eid }) => eid === chosen);
  if (agent) return <AgentCalls request={request} eid={agent.eid} number={agent.intercom} />;
  if (state === 'loading') return <Loading />;
  return <WhoAmI onChosen={setChosen} />;
}

function WhoAmI({ onChosen }: { readonly onChosen: (eid: string) => void }) {
  const { t, hinted } = useWords();
  const { items } = useRecords('agent');
  const [eid, setEid] = useState('');
  const options = useMemo(
    () => items.map((each) => ({ value: each.eid, label: each.name, note: each.intercom })),
    [items],
  );
  return (
    <div className="dock-body">
      <Picker {...hinted('dock.as')} value={eid} onChange={setEid} options={options} />
      <Button
        kind="primary"
        disabled={eid === ''}
        onClick={() => {
          localStorage.setItem(STORED, eid);
          onChosen(eid);
        }}
      >
        {t('dock.as.use')}
      </Button>
    </div>
  );
}

/** Its calls are kept for this tab alone: those of the desk, and of other tabs, are theirs. */
const agentPhoneOfTab = (eid: string, number: string): Phone =>
  new Phone({
    ask: () => client.createPhoneSession({ body: { agent: eid } }),
    owner: `dock ${eid}`,
    number,
  });

interface AgentCallsProps {
  readonly request: AgentRequest;
  readonly eid: string;
  readonly number: string;
}

function AgentCalls({ request, eid, number }: AgentCallsProps) {
  const { t } = useWords();
  const phone = usePhone(() => agentPhoneOfTab(eid, number), eid);
  const [fault, setFault] = useState('');
  useOnceReady(phone, () => {
    if (request.kind === 'number') phone.call(request.number, request.name);
    else
      client
        .listenIn({ body: { call_id: request.callId, agent: eid, mode: request.mode } })
        .catch((error: unknown) => setFault(error instanceof Error ? sentenceOf(error, t) : String(error)));
  });
  useTakingListening(phone, request);
  return (
    <>
      {fault !== '' && <Notice tone="bad">{fault}</Notice>}
      <Calls phone={phone} request={request} mayHold={request.kind === 'number'} />
    </>
  );
}

/** The ring that was asked for is answered by itself; other calls of the agent ring. */
function useTakingListening(phone: Phone, request: AgentRequest): void {
  const { calls } = usePhoneView(phone);
  const isTaken = useRef(false);
  useEffect(() => {
    if (request.kind !== 'listen' || isTaken.current) return;
    const rings = calls.find(
      ({ phase, number }) => phase === 'ringing' && (request.caller === null || number === request.caller),
    );
    const call = rings && phone.find(rings.id);
    if (!call) return;
    isTaken.current = true;
    // One who only listens is not to be heard by accident.
    if (request.mode === 'monitor') call.mute(true);
    void phone.answer(call);
  }, [calls, phone, request]);
}

/** Not after a reload: then calls that were kept are taken up. */
function useOnceReady(phone: Phone, act: () => void): void {
  const { connection, calls } = usePhoneView(phone);
  const { isResumed } = useDock();
  const isDone = useRef(isResumed);
  const current = useRef(act);
  current.current = act;
  useEffect(() => {
    if (connection !== 'ready' || isDone.current || calls.length > 0) return;
    isDone.current = true;
    current.current();
  }, [connection, calls]);
}

interface CallsProps {
  readonly phone: Phone;
  readonly request: DockRequest;
  readonly mayHold: boolean;
}

function Calls({ phone, request, mayHold }: CallsProps) {
  const { t } = useWords();
  const { connection, calls } = usePhoneView(phone);
  const { isResumed } = useDock();
  const missing = microphoneMissing();
  const isTalking = calls.some(({ phase }) => phase === 'talking');
  // Not at once: the calls of before a reload come with the phone.
  useEffect(() => {
    if (connection !== 'off') keepForReload(isTalking);
  }, [connection, isTalking]);
  return (
    <div className="dock-body">
      {missing !== null && <Notice tone="bad">{t(`phone.fault.${missing}`)}</Notice>}
      {missing === null && connection === 'refused' && (
        <Notice tone="bad">
          {phone.error instanceof Error ? sentenceOf(phone.error, t) : t('phone.connection.refused')}
        </Notice>
      )}
      <p className={calls.length > 0 && connection === 'ready' ? 'unseen' : undefined} role="status">
        {connection === 'lost' || connection === 'connecting' ? t(`phone.connection.${connection}`) : ''}
      </p>
      {calls.map((view) => {
        const call = phone.find(view.id);
        return call && <CallCard key={view.id} {...{ phone, call, view, mayHold }} />;
      })}
      {(calls.length > 0 || isResumed) && calls.every(({ phase }) => phase === 'ended') && (
        <Button icon="phone" onClick={() => openDock(request)}>
          {t('dock.again')}
        </Button>
      )}
    </div>
  );
}
