import { useMemo } from 'react';
import { useRecords } from '../../data/records.ts';
import { type Column, Table } from '../../kit/table.tsx';
import { pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import type { AccountStatistics } from './chart-model.ts';
import { lostIn, type MenusStatistics, paintOf, withUnused } from './menu-paint.ts';

const PAGE = 10;

export function MenuTable({ menus }: { readonly menus: MenusStatistics }) {
  const { t, number, percent } = useWords();
  const { items } = useRecords('ivr');
  const rows = useMemo(() => {
    const known = new Map(items.map((menu) => [String(menu.id), menu]));
    return menus.data
      .map((counts) => {
        const menu = known.get(counts.ivr);
        const paint = paintOf(counts);
        return {
          id: counts.ivr,
          name: menu?.name ?? t('statistics.deleted', { id: counts.ivr }),
          isKnown: menu !== undefined,
          lost: lostIn(counts),
          firstKeyMs: counts.time_to_key.p50_ms,
          ...paint,
          options: withUnused(paint.options, (menu?.option ?? []).map(String)),
        };
      })
      .sort((a, b) => b.lost - a.lost || b.visits - a.visits);
  }, [menus, items, t]);
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

function useColumns() {
  const { t, duration } = useWords();
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
  const count = <Row,>(key: string, label: string, of: (row: Row) => number): Column<Row> => ({
    key,
    label,
    number: true,
    value: of,
  });
  return { t, time, count };
}

export function AgentTable({ agents }: { readonly agents: readonly AgentRow[] }) {
  const { t, time, count } = useColumns();
  const columns: readonly Column<AgentRow>[] = [
    {
      key: 'name',
      label: t('statistics.agent'),
      value: ({ name, eid }) => name ?? t('statistics.deleted', { id: eid }),
    },
    count('offered', t('statistics.offered'), ({ offered }) => offered),
    count('answered', t('statistics.answered'), ({ answered }) => answered),
    count('not', t('statistics.notAnswered'), ({ not_answered }) => not_answered),
    time('talk', t('statistics.talkTime'), ({ talk_ms }) => talk_ms),
    time('average', t('statistics.talk'), ({ average_talk_ms }) => average_talk_ms),
    time('free', t('agentState.free'), ({ state_ms }) => state_ms.free),
    time('paused', t('agentState.paused'), ({ state_ms }) => state_ms.paused),
    time('wrapUp', t('agentState.wrap_up'), ({ state_ms }) => state_ms.wrap_up),
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
      empty={<p className="statistics-note">{t('statistics.agents.none')}</p>}
    />
  );
}

export function DepartmentTable({ departments }: { readonly departments: readonly DepartmentRow[] }) {
  const { t, time, count } = useColumns();
  const columns: readonly Column<DepartmentRow>[] = [
    {
      key: 'name',
      label: t('statistics.department'),
      value: ({ name, id }) => name ?? t('statistics.deleted', { id }),
    },
    count('calls', t('statistics.calls'), ({ calls }) => calls),
    count('answered', t('statistics.answered'), ({ answered }) => answered),
    count('abandoned', t('statistics.dropOff'), ({ abandoned }) => abandoned),
    time('wait', t('statistics.wait'), ({ average_wait_ms }) => average_wait_ms),
    count('asked', t('statistics.callbacks'), ({ callbacks_asked }) => callbacks_asked),
    count('reached', t('statistics.callbacks.done'), ({ callbacks_done }) => callbacks_done),
    count('given-up', t('statistics.callbacks.failed'), ({ callbacks_failed }) => callbacks_failed),
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
      empty={<p className="statistics-note">{t('statistics.departments.none')}</p>}
    />
  );
}
