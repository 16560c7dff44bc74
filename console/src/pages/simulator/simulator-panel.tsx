// The simulator, beside the map or on its own page: a phone, the steps, the conditions, and the menu's tests.

import { useEffect, useMemo, useRef, useState } from 'react';
import type { DialledNumber } from '../../../../client/operations.ts';
import type { Flow } from '../../../../src/flow/flow.ts';
import { referenceText, splitReference } from '../../../../src/kinds/reference.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { type Named, useNamesInTexts } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { IconButton } from '../../kit/button.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { Tabs } from '../../kit/tabs.tsx';
import { useWords } from '../../words/words.tsx';
import { type IvrDraft, ivrOf } from '../editor/draft.ts';
import { Assumptions } from './assumptions.tsx';
import { entryRef, UNSAVED_ID } from './browser-flow.ts';
import { ConditionsForm } from './conditions.tsx';
import { Display } from './display.tsx';
import { MenuTests } from './menu-tests.tsx';
import { withNames } from './names.ts';
import type { PacedCall } from './paced-call.ts';
import { type CallPath, NO_PATH, pathOf } from './path.ts';
import { Phone } from './phone.tsx';
import { type Present, presentOf, readStates } from './present.ts';
import { reachOf } from './reach.ts';
import { type PastCall, pastCall, replayOf } from './replay.ts';
import { ReplayNotice, Spoken } from './replay-notice.tsx';
import type { StoredTest } from './test-of.ts';
import { Timeline } from './timeline.tsx';
import { useAccountFlow } from './use-account-flow.ts';
import { useCallAudio, useCallVersion, useClock } from './use-call.ts';
import { useCurrentCall } from './use-current-call.ts';
import { Way } from './way.tsx';
import './simulator.css';

const TABS = ['steps', 'conditions', 'tests'] as const;

export interface SimulatorPanelProps {
  /** The destination to call: a reference, or a number that callers dial. */
  readonly entry: string;
  /** The unsaved menu of an editor; it replaces the stored one. */
  readonly draft: IvrDraft | null;
  /** Which menu is open in an editor, changed or not; left out: the entry. */
  readonly draftId?: string;
  /** The path so far, after each step; `current` is the step that the user selected. */
  readonly onPath: (path: CallPath) => void;
  /** The id of a call record to replay. */
  readonly replay?: string;
  /** Left out where there is nothing to close. */
  readonly onClose?: () => void;
  /** Takes the tests of a menu that is open in an editor; left out: they are stored at once. */
  readonly onTests?: (tests: readonly StoredTest[]) => void;
}

export function SimulatorPanel(props: SimulatorPanelProps) {
  const { draft, draftId = splitReference(props.entry).id } = props;
  const unsaved = useMemo(() => draft && { id: draftId, ivr: ivrOf(draft) }, [draft, draftId]);
  const { flow, language, error, again } = useAccountFlow(unsaved);
  const numbers = useRecords('number');
  const past = useAsk(
    async () => (props.replay === undefined ? null : client.getCallRecord({ params: { id: props.replay } })),
    [props.replay],
  );
  // Who may not see the states of agents tries calls with everyone at a phone.
  const states = useAsk(readStates, []);
  const present = useMemo(
    () => (flow && states.value ? presentOf(states.value, flow) : null),
    [flow, states.value],
  );
  if (error) return <Failure error={error} onAgain={again} />;
  if (past.error) return <Failure error={past.error} onAgain={past.again} />;
  if (!flow || numbers.state === 'loading' || past.loading || states.loading) return <Loading />;
  return (
    <Simulator
      {...props}
      {...{ flow, language }}
      numbers={numbers.items}
      record={past.value}
      present={present}
    />
  );
}

interface LoadedProps extends SimulatorPanelProps {
  readonly flow: Flow;
  readonly language: string;
  readonly numbers: readonly DialledNumber[];
  readonly record: unknown;
  readonly present: Present | null;
}

function Simulator(props: LoadedProps) {
  const { flow, language, numbers, record, replay, onPath, onClose, draft } = props;
  const { t } = useWords();
  const nameOf = useDraftNames(draft);
  const recorded = useMemo(() => (replay === undefined ? null : pastCall(record)), [replay, record]);
  // A record with hidden keys, or without all events, is shown as a path only; the phone places a call by hand.
  const past = recorded?.hidden || recorded?.cut ? null : recorded;
  const entry = recorded?.entry ?? entryRef(props.entry, numbers);
  const reach = useMemo(() => reachOf(flow, entry), [flow, entry]);
  const [tab, setTab] = useState('steps');
  const { current, settings, speed, selected, ...control } = useCurrentCall(
    flow,
    entry,
    replay,
    props.present,
  );
  const paced = current?.paced ?? null;
  const version = useCallVersion(paced);
  useClock(paced);
  const audio = useCallAudio(paced, language, flow);
  const whole = useMemo(() => (recorded ? wholePath(flow, recorded) : NO_PATH), [flow, recorded]);
  usePath(paced, version, selected, whole, onPath);
  const isOpen = props.draftId !== undefined && entry === referenceText('ivr', props.draftId);
  const onTests = isOpen ? props.onTests : undefined;
  const steps = paced?.call.steps ?? [];
  const callLabel = past
    ? t(current ? 'simulator.replay.again' : 'simulator.replay')
    : t(current ? 'simulator.redial' : 'simulator.call');
  const happened = (
    <>
      <Way steps={steps} nameOf={nameOf} />
      <Timeline
        steps={steps}
        nameOf={nameOf}
        selected={selected}
        onSelect={(index) => control.select(selected === index ? null : index)}
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
        {!past && (
          <Assumptions
            {...{ reach, settings, nameOf }}
            present={props.present}
            onChange={control.changeSettings}
          />
        )}
        {replay !== undefined && <ReplayNotice past={recorded} replay={current?.replay ?? null} />}
      </div>
      <div className="simulator-body">
        <Phone
          paced={paced}
          audio={audio}
          speed={speed}
          onSpeed={control.changeSpeed}
          onCall={() => (past ? control.replay(past) : control.place())}
          callLabel={callLabel}
          scripted={past !== null}
        >
          {paced ? (
            <Display {...{ paced, flow, language, nameOf }} />
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
              {tab === 'conditions' && (
                <ConditionsForm {...{ reach, settings, nameOf }} onChange={control.changeSettings} />
              )}
              <MenuTests
                flow={flow}
                entry={entry}
                drafted={draft !== null && !onTests}
                drafts={isOpen ? (draft?.tests ?? null) : null}
                onTests={onTests}
                finished={paced?.over ? current : null}
                listed={tab === 'tests'}
              />
            </Tabs>
          )}
        </div>
      </div>
    </section>
  );
}

/** The names of all records, with the draft's name for a menu that is not stored. */
function useDraftNames(draft: IvrDraft | null): (reference: string) => Named {
  const { t } = useWords();
  const nameOf = useNamesInTexts();
  const name = draft?.name.trim() || t('editor.new');
  return useMemo(() => {
    const unsaved = referenceText('ivr', UNSAVED_ID);
    return (reference) =>
      reference === unsaved ? { name, kind: 'ivr', missing: false, to: null } : nameOf(reference);
  }, [nameOf, name]);
}

/** The path of the whole recorded call, shown before the replay starts. */
function wholePath(flow: Flow, past: PastCall): CallPath {
  if (past.hidden || past.cut) return pathOf(past.steps);
  const { call } = replayOf(flow, past);
  while (call.next());
  return pathOf(call.steps);
}

/** Calls onPath() after each step, and with the step that the user selects. */
function usePath(
  paced: PacedCall | null,
  version: number,
  selected: number | null,
  whole: CallPath,
  onPath: (path: CallPath) => void,
): void {
  const report = useRef(onPath);
  report.current = onPath;
  const count = paced?.call.steps.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of steps only grows, so its length tells
  useEffect(() => {
    if (!paced) return report.current(whole);
    const path = pathOf(paced.call.steps);
    const looked = selected === null ? null : (paced.call.steps[selected]?.node ?? null);
    report.current(looked === null ? path : { ...path, current: looked });
  }, [paced, count, selected, whole, version === 0]);
  useEffect(() => () => report.current(NO_PATH), []);
}
