// The simulator beside the map, and as a page of its own: a phone, what happened, who and when, and the menu's tests.

import { useEffect, useMemo, useRef, useState } from 'react';
import type { DialledNumber } from '../../../../client/operations.ts';
import { referenceText, splitReference } from '../../../../src/domain/reference.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import { SimulatedCall } from '../../../../src/flow/simulation/simulated-call.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { type Named, useNames } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { IconButton } from '../../kit/button.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useWords } from '../../words/words.tsx';
import { type IvrDraft, ivrOf } from '../editor/draft.ts';
import { entryRef, UNSAVED_ID } from './browser-flow.ts';
import { ConditionsForm } from './conditions.tsx';
import { Display } from './display.tsx';
import { MenuTests } from './menu-tests.tsx';
import { withNames } from './names.ts';
import { type CallPath, NO_PATH, pathOf } from './path.ts';
import { Phone } from './phone.tsx';
import type { Placed } from './placed.ts';
import { reachOf } from './reach.ts';
import { type PastCall, pastCall, retell } from './replay.ts';
import { CallSession, type Speed } from './session.ts';
import { conditionsOf, type Settings, USUAL } from './settings.ts';
import type { StoredTest } from './test-of.ts';
import { Timeline } from './timeline.tsx';
import { Spoken, Told } from './told.tsx';
import { useAccountFlow } from './use-account-flow.ts';
import { useClock, useHearing, useSessionVersion } from './use-call.ts';
import { Way } from './way.tsx';
import './simulator.css';

const TABS = ['steps', 'conditions', 'tests'] as const;

export interface SimulatorPanelProps {
  /** What is called: a reference, or a number that callers dial. */
  readonly entry: string;
  /** The menu as it stands in an editor; it takes the place of the stored one. */
  readonly draft: IvrDraft | null;
  /** Which menu is open in an editor, changed or not; left out: the entry. */
  readonly draftId?: string;
  /** The way so far, each time it goes on; and the place of a step that was clicked. */
  readonly onPath: (path: CallPath) => void;
  /** The id of a call record that is told again. */
  readonly replay?: string;
  /** Left out where there is nothing to close. */
  readonly onClose?: () => void;
  /** While a menu is open in an editor its tests are the editor's affair; left out: they are stored at once. */
  readonly onTests?: (tests: readonly StoredTest[]) => void;
}

export function SimulatorPanel(props: SimulatorPanelProps) {
  const { draft, draftId = splitReference(props.entry).id } = props;
  const unsaved = useMemo(() => draft && { id: draftId, ivr: ivrOf(draft) }, [draft, draftId]);
  const { flow, error, again } = useAccountFlow(unsaved);
  const numbers = useRecords('number');
  const past = useAsk(
    async () => (props.replay === undefined ? null : client.getCallRecord({ params: { id: props.replay } })),
    [props.replay],
  );
  if (error) return <Failure error={error} onAgain={again} />;
  if (past.error) return <Failure error={past.error} onAgain={past.again} />;
  if (!flow || numbers.state === 'loading' || past.loading) return <Loading />;
  return <Simulator {...props} flow={flow} numbers={numbers.items} record={past.value} />;
}

interface LoadedProps extends SimulatorPanelProps {
  readonly flow: Flow;
  readonly numbers: readonly DialledNumber[];
  readonly record: unknown;
}

function Simulator(props: LoadedProps) {
  const { flow, numbers, record, replay, onPath, onClose, draft } = props;
  const { t } = useWords();
  const nameOf = useDraftNames(draft);
  const recorded = useMemo(() => (replay === undefined ? null : pastCall(record)), [replay, record]);
  // One whose keys are hidden is shown as the way it took; the phone is for a call by hand.
  const past = recorded?.hidden ? null : recorded;
  const entry = recorded?.entry ?? entryRef(props.entry, numbers);
  const reach = useMemo(() => reachOf(flow, entry), [flow, entry]);
  const [speed, setSpeed] = useState<Speed>(1);
  const [settings, setSettings] = useState<Settings>(USUAL);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const [tab, setTab] = useState('steps');
  const [selected, setSelected] = useState<number | null>(null);
  const session = placed?.session ?? null;
  const version = useSessionVersion(session);
  useClock(session);
  const hearing = useHearing(session);
  // Another entry is another phone number: the call that was on the phone is not its.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when what is called changes
  useEffect(() => {
    setPlaced(null);
    setSelected(null);
  }, [entry, replay]);
  const whole = useMemo(() => (recorded ? wholePath(flow, recorded) : NO_PATH), [flow, recorded]);
  usePath(session, version, selected, whole, onPath);

  const call = (): void => {
    const conditions = conditionsOf(settings, Date.now());
    const made = new CallSession(new SimulatedCall(flow, { entry, ...conditions }), speed);
    setPlaced({ session: made, entry, conditions, told: null });
    setSelected(null);
  };
  const tell = (of: PastCall): void => {
    const { call: again, difference } = retell(flow, of);
    const made = new CallSession(again, speed, true);
    setPlaced({ session: made, entry, conditions: conditionsOf(USUAL, of.startedMs), told: { difference } });
    setSelected(null);
  };
  const change = (next: Settings): void => {
    setSettings(next);
    if (!placed || placed.session.over || placed.told) return;
    const { agents, waiting } = conditionsOf(next, 0);
    placed.session.behave(agents, waiting);
    setPlaced({ ...placed, conditions: { ...placed.conditions, agents, waiting } });
  };
  const over = session?.over ?? false;
  const isOpen = props.draftId !== undefined && entry === referenceText('ivr', props.draftId);
  const onTests = isOpen ? props.onTests : undefined;
  const steps = session?.call.steps ?? [];
  const callLabel = past
    ? t(placed ? 'simulator.replay.again' : 'simulator.replay')
    : t(placed ? 'simulator.redial' : 'simulator.call');
  const happened = (
    <>
      <Way steps={steps} nameOf={nameOf} />
      <Timeline
        steps={steps}
        nameOf={nameOf}
        selected={selected}
        onSelect={(index) => setSelected(selected === index ? null : index)}
      />
    </>
  );
  return (
    <section className="simulator" aria-label={t('simulator.title')}>
      {onClose && (
        <header className="simulator-head">
          <h2>{t('simulator.title')}</h2>
          <IconButton icon="close" label={t('simulator.close')} onClick={onClose} />
        </header>
      )}
      <div className="simulator-above">
        {draft && <p className="simulator-unsaved">{t('simulator.unsaved')}</p>}
        {replay !== undefined && <Told past={recorded} told={placed?.told ?? null} />}
      </div>
      <div className="simulator-body">
        <Phone
          session={session}
          hearing={hearing}
          speed={speed}
          onSpeed={(next) => {
            setSpeed(next);
            session?.setSpeed(next);
          }}
          onCall={() => (past ? tell(past) : call())}
          callLabel={callLabel}
          told={past !== null}
        >
          {session ? (
            <Display session={session} flow={flow} nameOf={nameOf} />
          ) : (
            <p>{t('simulator.ready', { name: nameOf(entry).name })}</p>
          )}
        </Phone>
        <div className="simulator-more">
          <Spoken texts={steps.map(({ text }) => withNames(text, nameOf))} />
          {past ? (
            happened
          ) : (
            <Tabs
              label={t('simulator.tabs')}
              tabs={TABS.map((id) => ({ id, label: t(`simulator.tab.${id}`) }))}
              selected={tab}
              onSelect={setTab}
            >
              {tab === 'steps' && happened}
              {tab === 'conditions' && <ConditionsForm reach={reach} settings={settings} onChange={change} />}
              <MenuTests
                flow={flow}
                entry={entry}
                drafted={draft !== null && !onTests}
                drafts={isOpen ? (draft?.tests ?? null) : null}
                onTests={onTests}
                placed={over ? placed : null}
                listed={tab === 'tests'}
              />
            </Tabs>
          )}
        </div>
      </div>
    </section>
  );
}

/** As everything is called, and a menu that was never stored by the name it shall have. */
function useDraftNames(draft: IvrDraft | null): (reference: string) => Named {
  const { t } = useWords();
  const nameOf = useNames();
  const name = draft?.name.trim() || t('editor.new');
  return useMemo(() => {
    const unsaved = referenceText('ivr', UNSAVED_ID);
    return (reference) =>
      reference === unsaved ? { name, kind: 'ivr', missing: false, to: null } : nameOf(reference);
  }, [nameOf, name]);
}

/** All of a call that took place, before anybody has it told. */
function wholePath(flow: Flow, past: PastCall): CallPath {
  if (past.hidden) return pathOf(past.steps);
  const { call } = retell(flow, past);
  while (call.next());
  return pathOf(call.steps);
}

/** Tells whoever draws the path of each step, and of the place that was clicked. */
function usePath(
  session: CallSession | null,
  version: number,
  selected: number | null,
  whole: CallPath,
  onPath: (path: CallPath) => void,
): void {
  const tell = useRef(onPath);
  tell.current = onPath;
  const count = session?.call.steps.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: steps are added, and then there are more of them
  useEffect(() => {
    if (!session) return tell.current(whole);
    const path = pathOf(session.call.steps);
    const looked = selected === null ? null : (session.call.steps[selected]?.node ?? null);
    tell.current(looked === null ? path : { ...path, current: looked });
  }, [session, count, selected, whole, version === 0]);
  useEffect(() => () => tell.current(NO_PATH), []);
}
