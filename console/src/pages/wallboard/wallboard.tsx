// The supervisor's screen: queues, agents and calls of this moment. It moves by the events of the service.
import { useMemo, useState } from 'react';
import type { Wallboard } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useLive } from '../../data/live.ts';
import { useMay } from '../../data/may.ts';
import { useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { MissingNodes } from '../../kit/missing-nodes.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { Link, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { AgentBoard } from './agent-board.tsx';
import { CallGroups } from './call-groups.tsx';
import { useCalm } from './calm.ts';
import { ALL_CALLS, CALL_FILTERS, type CallChoice, callGroups, queueCards } from './figures.ts';
import { QueueCards } from './queue-cards.tsx';
import { ThresholdsDialog } from './thresholds-dialog.tsx';
import { useToday } from './today.ts';
import './wallboard.css';

export function Page() {
  const { t } = useWords();
  const may = useMay();
  const { value: board, error, again } = useAsk((signal) => client.getWallboard({ signal }), []);
  const [editing, setEditing] = useState(false);
  return (
    <Frame
      title={t('board.title')}
      actions={
        <>
          {may('putWallboard') && (
            <Button icon="settings" disabled={board === null} onClick={() => setEditing(true)}>
              {t('board.thresholds')}
            </Button>
          )}
          <FullScreen />
        </>
      }
    >
      {error !== null && <Failure error={error} onAgain={again} />}
      {board === null && error === null && <Loading />}
      {board && <Board board={board} />}
      {board && editing && (
        <ThresholdsDialog value={board} onSaved={again} onClose={() => setEditing(false)} />
      )}
    </Frame>
  );
}

/** The address without header and navigation; the window fills the screen where the browser lets it. */
function FullScreen() {
  const { t } = useWords();
  const isFull = useRoute().query.has('full');
  const change = (): void => {
    const done = isFull ? document.exitFullscreen?.() : document.documentElement.requestFullscreen?.();
    // Refused, or not full: the page is without navigation all the same.
    done?.catch(() => undefined);
  };
  return (
    <Link className="button button-plain" to={isFull ? '/wallboard' : '/wallboard?full'} onClick={change}>
      {t(isFull ? 'board.window' : 'board.full')}
    </Link>
  );
}

function Board({ board }: { readonly board: Wallboard }) {
  const { t } = useWords();
  const live = useCalm(useLive());
  const today = useToday(live.round, board);
  const { queues, agents, unanswered } = live;
  const departments = useRecords('department');
  const people = useRecords('agent');
  const [choice, setChoice] = useState<CallChoice>(ALL_CALLS);
  const { items: all } = departments;
  const shown = useMemo(
    () => (choice.department === '' ? all : all.filter(({ id }) => id === choice.department)),
    [all, choice.department],
  );
  const cards = useMemo(
    () => queueCards(shown, { queues, agents }, today?.byDepartment ?? null),
    [shown, queues, agents, today],
  );
  const groups = useMemo(() => callGroups([...live.calls.values()], all, choice), [live.calls, all, choice]);
  const names = useMemo(() => new Map(people.items.map(({ eid, name }) => [eid, name])), [people.items]);
  const eids = useMemo(
    () => new Set(choice.department === '' ? names.keys() : shown.flatMap(({ agents }) => agents)),
    [choice.department, names, shown],
  );
  if (live.connection === 'opening' || departments.state === 'loading') return <Loading />;
  return (
    <div className="board">
      {live.connection !== 'open' && (
        <div role="status">
          <Notice tone="warn">{t(live.connection === 'off' ? 'live.off' : 'live.lost')}</Notice>
        </div>
      )}
      <MissingNodes nodes={unanswered} />
      <Choices choice={choice} onChange={setChoice} departments={all} />
      <section aria-label={t('board.queues')}>
        <h2>{t('board.queues')}</h2>
        {cards.length === 0 ? (
          <Empty
            icon="department"
            title={t('board.noQueues.title')}
            text={t('board.noQueues.text')}
            action={<Link to="/departments">{t('board.noQueues.action')}</Link>}
          />
        ) : (
          <QueueCards
            cards={cards}
            limits={board}
            serviceLevelSeconds={today?.serviceLevelSeconds ?? board.service_level_seconds}
            isPartial={unanswered.length > 0}
          />
        )}
      </section>
      <section aria-label={t('board.agents')}>
        <h2>{t('board.agents')}</h2>
        <AgentBoard agents={agents} eids={eids} names={names} />
      </section>
      <section aria-label={t('board.calls')}>
        <h2>{t('board.calls')}</h2>
        {groups.length === 0 ? (
          <p className="board-none">{t(live.calls.size === 0 ? 'live.empty.title' : 'board.noMatch')}</p>
        ) : (
          <CallGroups groups={groups} level={3} />
        )}
      </section>
    </div>
  );
}

interface ChoicesProps {
  readonly choice: CallChoice;
  readonly onChange: (choice: CallChoice) => void;
  readonly departments: readonly { readonly id: string; readonly name: string }[];
}

function Choices({ choice, onChange, departments }: ChoicesProps) {
  const { t } = useWords();
  const queues = [
    { value: '', label: t('board.filter.all') },
    ...departments.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const kinds = CALL_FILTERS.map((value) => ({ value, label: t(`board.filter.${value}`) }));
  return (
    <search className="board-choices">
      <SelectField
        label={t('board.filter.queue')}
        value={choice.department}
        options={queues}
        onChange={(department) => onChange({ ...choice, department })}
      />
      <SelectField
        label={t('board.filter.calls')}
        value={choice.kind}
        options={kinds}
        onChange={(kind) => onChange({ ...choice, kind })}
      />
      <TextField
        label={t('board.filter.text')}
        value={choice.text}
        onChange={(text) => onChange({ ...choice, text })}
      />
    </search>
  );
}
