import { useCallback, useMemo } from 'react';
import { referenceText } from '../../../../src/kinds/reference.ts';
import { useDeletedNames } from '../../data/deleted-names.ts';
import { useRecords } from '../../data/records.ts';
import { type Column, Table } from '../../kit/table.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import type { AccountStatistics } from './chart-model.ts';
import { lostIn, type MenusStatistics, paintOf, withUnused } from './menu-paint.ts';

const PAGE = 10;

/** What was deleted has its name as long as it is known. */
function useGone(): (kind: 'ivr' | 'extension' | 'department' | StepRow['kind'], id: string) => string {
  const { t } = useWords();
  const deletedName = useDeletedNames();
  return useCallback(
    (kind, id) => {
      const name = deletedName(referenceText(kind, id));
      return name === null ? t('statistics.deleted', { id }) : t('kit.deletedName', { name });
    },
    [t, deletedName],
  );
}

export function MenuTable({ menus }: { readonly menus: MenusStatistics }) {
  const { t, number, percent } = useWords();
  const { items, state } = useRecords('ivr');
  const gone = useGone();
  const isLoaded = state === 'ready' || items.length > 0;
  const rows = useMemo(() => {
    const known = new Map(items.map((menu) => [String(menu.id), menu]));
    return menus.data
      .map((counts) => {
        const menu = known.get(counts.ivr);
        const paint = paintOf(counts);
        return {
          id: counts.ivr,
          name: menu?.name ?? (isLoaded ? gone('ivr', counts.ivr) : '…'),
          isKnown: menu !== undefined,
          lost: lostIn(counts),
          firstKeyMs: counts.time_to_key.p50_ms,
          ...paint,
          options: withUnused(paint.options, (menu?.option ?? []).map(String)),
        };
      })
      .sort((a, b) => b.lost - a.lost || b.visits - a.visits);
  }, [menus, items, isLoaded, gone]);
  type Row = (typeof rows)[number];
  const rate = (key: string, label: string, of: (row: Row) => number | null): Column<Row> => ({
    key,
    label,
    number: true,
    value: (row) => of(row) ?? -1,
    render: (row) => percent(of(row)),
  });
  const columns: readonly Column<Row>[] = [
    { key: 'name', label: t('statistics.menu'), value: ({ name }) => name },
    { key: 'visits', label: t('statistics.visits'), number: true, value: ({ visits }) => visits },
    { key: 'lost', label: t('statistics.lostCallers'), number: true, value: ({ lost }) => lost },
    rate('drop', t('statistics.dropOff'), ({ dropOffRate }) => dropOffRate),
    rate('invalid', t('statistics.invalid'), ({ invalidRate }) => invalidRate),
    rate('timeouts', t('statistics.timeouts'), ({ timeoutRate }) => timeoutRate),
    {
      key: 'firstKey',
      label: t('statistics.firstKey'),
      number: true,
      value: ({ firstKeyMs }) => firstKeyMs ?? -1,
      render: ({ firstKeyMs }) => (firstKeyMs === null ? '–' : `≤ ${number(firstKeyMs / 1000)} s`),
    },
    {
      key: 'options',
      label: t('statistics.options'),
      sort: false,
      value: ({ options }) => options.map(({ keys }) => keys).join(' '),
      render: ({ options }) => (
        <ul className="statistics-options">
          {options.map(({ keys, count, share }) => (
            <li key={keys} className={count === 0 ? 'statistics-unused' : undefined}>
              {count === 0
                ? t('statistics.option.unused', { keys })
                : t('statistics.option', { keys, count, share: percent(share) })}
            </li>
          ))}
        </ul>
      ),
    },
  ];
  return (
    <>
      <Table
        label={t('statistics.menus')}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowLink={({ id, isKnown }) => (isKnown ? pathTo('menus', id) : null)}
        search={rows.length > PAGE}
        pageSize={PAGE}
        sortedBy="-lost"
        empty={<p className="statistics-note">{t('statistics.menus.none')}</p>}
      />
      {menus.left_off > 0 && (
        <p className="statistics-note">{t('statistics.menus.leftOff', { count: menus.left_off })}</p>
      )}
    </>
  );
}

type AgentRow = AccountStatistics['agents'][number];
type DepartmentRow = AccountStatistics['departments'][number];
type StepRow = AccountStatistics['steps'][number];

function useColumns() {
  const { t, number, percent, duration } = useWords();
  const time = <Row,>(key: string, label: string, of: (row: Row) => number | null): Column<Row> => ({
    key,
    label,
    number: true,
    value: (row) => of(row) ?? -1,
    render: (row) => {
      const ms = of(row);
      return ms === null ? '–' : duration(ms);
    },
  });
  /** A count that leads to its calls. */
  const count = <Row,>(
    key: string,
    label: string,
    of: (row: Row) => number,
    calls: (row: Row) => string,
  ): Column<Row> => ({
    key,
    label,
    number: true,
    value: of,
    render: (row) =>
      of(row) === 0 ? (
        number(0)
      ) : (
        <Link to={`/calls?${calls(row)}`} title={t('statistics.seeCalls')}>
          {number(of(row))}
        </Link>
      ),
  });
  const rate = <Row,>(key: string, label: string, of: (row: Row) => number | null): Column<Row> => ({
    key,
    label,
    number: true,
    value: (row) => of(row) ?? -1,
    render: (row) => percent(of(row)),
  });
  return { t, time, count, rate };
}

interface AgentTableProps {
  readonly agents: readonly AgentRow[];
  /** The time range, for links to the calls. */
  readonly query: string;
}

export function AgentTable({ agents, query }: AgentTableProps) {
  const { t, time, count, rate } = useColumns();
  const gone = useGone();
  const of =
    (filter: string) =>
    ({ eid }: AgentRow): string =>
      `${filter}=${encodeURIComponent(eid)}&${query}`;
  const columns: readonly Column<AgentRow>[] = [
    {
      key: 'name',
      label: t('statistics.agent'),
      value: ({ name, eid }) => name ?? gone('extension', eid),
    },
    count('offered', t('statistics.offered'), ({ offered }) => offered, of('offered')),
    count('answered', t('statistics.answered'), ({ answered }) => answered, of('agent')),
    count('not', t('statistics.notAnswered'), ({ not_answered }) => not_answered, of('unanswered_by')),
    time('talk', t('statistics.talkTime'), ({ talk_ms }) => talk_ms),
    time('average', t('statistics.talk'), ({ average_talk_ms }) => average_talk_ms),
    time('signedIn', t('statistics.signedIn'), ({ signed_in_ms }) => signed_in_ms),
    time('paused', t('agentState.paused'), ({ paused_ms }) => paused_ms),
    time('wrapUp', t('agentState.wrap_up'), ({ state_ms }) => state_ms.wrap_up),
    rate('occupancy', t('statistics.occupancy'), ({ occupancy }) => occupancy),
  ];
  return (
    <Table
      label={t('statistics.agents')}
      columns={columns}
      rows={agents}
      rowKey={({ eid }) => eid}
      rowLink={({ eid, name }) => (name === null ? null : pathTo('agents', eid))}
      search={agents.length > PAGE}
      pageSize={PAGE}
      sortedBy="name"
      empty={<p className="statistics-note">{t('statistics.agents.none')}</p>}
    />
  );
}

interface DepartmentTableProps {
  readonly departments: readonly DepartmentRow[];
  /** The time range, for links to the calls. */
  readonly query: string;
}

export function DepartmentTable({ departments, query }: DepartmentTableProps) {
  const { t, time, count, rate } = useColumns();
  const gone = useGone();
  const of =
    (filter: string) =>
    ({ id }: DepartmentRow): string =>
      `department=${encodeURIComponent(id)}${filter}&${query}`;
  const columns: readonly Column<DepartmentRow>[] = [
    {
      key: 'name',
      label: t('statistics.department'),
      value: ({ name, id }) => name ?? gone('department', id),
    },
    count('calls', t('statistics.calls'), ({ calls }) => calls, of('')),
    count('answered', t('statistics.answered'), ({ answered }) => answered, of('&queue=answered')),
    rate('level', t('statistics.serviceLevel'), ({ queue }) => queue.service_level),
    time('wait', t('statistics.speed'), ({ average_wait_ms }) => average_wait_ms),
    count('abandoned', t('statistics.dropOff'), ({ abandoned }) => abandoned, of('&queue=abandoned')),
    time('abandonedAfter', t('statistics.leftAfter'), ({ queue }) => queue.average_abandon_ms),
    count('left', t('statistics.leftOtherwise'), ({ queue }) => queue.left, of('&queue=left')),
    {
      key: 'callbacks',
      label: t('statistics.callbacks'),
      number: true,
      value: ({ callbacks_asked }) => callbacks_asked,
      render: ({ callbacks_asked: asked, callbacks_done: done }) =>
        asked + done === 0 ? '–' : t('statistics.callbacks.of', { done, asked }),
    },
    time('average', t('statistics.talk'), ({ average_talk_ms }) => average_talk_ms),
  ];
  return (
    <Table
      label={t('statistics.departments')}
      columns={columns}
      rows={departments}
      rowKey={({ id }) => id}
      rowLink={({ id, name }) => (name === null ? null : pathTo('departments', id))}
      search={departments.length > PAGE}
      pageSize={PAGE}
      sortedBy="name"
      empty={<p className="statistics-note">{t('statistics.departments.none')}</p>}
    />
  );
}

/** What asks callers, systems and voice bots: how often it fails, and how long the other side takes. */
export function StepTable({ steps }: { readonly steps: readonly StepRow[] }) {
  const { t, time, rate } = useColumns();
  const gone = useGone();
  const columns: readonly Column<StepRow>[] = [
    { key: 'name', label: t('statistics.step'), value: ({ kind, id, name }) => name ?? gone(kind, id) },
    { key: 'kind', label: t('statistics.step.kind'), value: ({ kind }) => t(`kit.kind.${kind}`) },
    { key: 'visits', label: t('statistics.visits'), number: true, value: ({ visits }) => visits },
    { key: 'failed', label: t('statistics.step.failed'), number: true, value: ({ failed }) => failed },
    rate('rate', t('statistics.step.failedRate'), ({ failed_rate }) => failed_rate),
    time('average', t('statistics.step.average'), ({ average_ms }) => average_ms),
  ];
  return (
    <Table
      label={t('statistics.steps')}
      columns={columns}
      rows={steps}
      rowKey={({ kind, id }) => referenceText(kind, id)}
      rowLink={({ kind, id, name }) => (name === null ? null : pathTo(STEP_PAGES[kind], id))}
      search={steps.length > PAGE}
      pageSize={PAGE}
      sortedBy="-failed"
      empty={null}
    />
  );
}

const STEP_PAGES = { collect: 'collects', request: 'requests', stream: 'streams' } as const;
