// The list of finished calls: filtered by the service, in pages, with CSV export.
import { useMemo, useState } from 'react';
import type { CallSummary } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { Button } from '../../kit/button.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { go, Link, pathTo, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { viewerZone } from '../statistics/range.ts';
import { CallFilters } from './call-filters.tsx';
import { type CallSearch, useCallSearch } from './call-search.ts';
import { addressOf, type Filters, filtersOf, isNarrowed, NO_FILTERS, questionOf } from './filters.ts';
import { NamedLink } from './named-link.tsx';
import { Narrowing } from './narrowing.tsx';
import { askOpenCalls } from './open-calls.ts';
import { OutcomeBadge } from './outcome-badge.tsx';

export function CallList() {
  const { query } = useRoute();
  const filters = useMemo(() => filtersOf(query), [query]);
  return filters.open === '' ? <SearchedCalls filters={filters} /> : <OpenCallList filters={filters} />;
}

const apply = (next: Filters): void => go(`/calls${addressOf(next)}`);

function SearchedCalls({ filters }: { readonly filters: Filters }) {
  const { t } = useWords();
  const search = useCallSearch(questionOf(filters));
  return (
    <Frame title={t('calls.title')} intro={t('calls.intro')} actions={<Download filters={filters} />}>
      <CallFilters key={addressOf(filters)} filters={filters} onChange={apply} />
      <Narrowing filters={filters} onChange={apply} />
      <Found search={search} narrowed={isNarrowed(filters)} />
    </Frame>
  );
}

/** The calls that the overview counts, by the same rule. */
function OpenCallList({ filters }: { readonly filters: Filters }) {
  const { t } = useWords();
  const { value, error, again } = useAsk(askOpenCalls, []);
  const search: CallSearch = {
    calls: value?.calls ?? [],
    state: error === null ? (value === null ? 'loading' : 'ready') : 'failed',
    error,
    hasMore: false,
    more: again,
    again,
  };
  return (
    <Frame title={t('calls.title')} intro={t('calls.intro')}>
      <Narrowing filters={{ ...NO_FILTERS, open: filters.open }} onChange={apply} />
      {value?.isCut && <Notice tone="warn">{t('calls.open.cut')}</Notice>}
      <Found search={search} narrowed />
    </Frame>
  );
}

function Found({ search, narrowed }: { readonly search: CallSearch; readonly narrowed: boolean }) {
  const { t } = useWords();
  const columns = useColumns();
  const { calls, state, error, hasMore, more, again } = search;
  if (state === 'failed') return <Failure error={error} onAgain={again} />;
  if (calls.length === 0 && state === 'loading') return <Loading />;
  if (calls.length === 0 && !hasMore) return <Nothing narrowed={narrowed} />;
  return (
    <>
      <Table
        label={t('calls.title')}
        columns={columns}
        rows={calls}
        rowKey={({ id }) => id}
        rowLink={({ id }) => pathTo('calls', id)}
        search={false}
        pageSize={Number.MAX_SAFE_INTEGER}
      />
      <div className="calls-more">
        <p role="status">
          {t('calls.shown', { count: calls.length })} {hasMore ? '' : t('calls.all')}
        </p>
        {hasMore && (
          <Button busy={state === 'loading'} onClick={more}>
            {t('calls.older')}
          </Button>
        )}
      </div>
    </>
  );
}

function Nothing({ narrowed }: { readonly narrowed: boolean }) {
  const { t } = useWords();
  return narrowed ? (
    <Empty
      icon="search"
      title={t('calls.none.title')}
      text={t('calls.none.text')}
      action={<Link to="/calls">{t('calls.clear')}</Link>}
    />
  ) : (
    <Empty
      icon="calls"
      title={t('calls.empty.title')}
      text={t('calls.empty.text')}
      action={<Link to="/live">{t('calls.empty.action')}</Link>}
    />
  );
}

function useColumns(): readonly Column<CallSummary>[] {
  const words = useWords();
  const names = useNames();
  return useMemo(() => {
    const { t, brief, duration } = words;
    const time = (ms: number) => <span className="calls-time">{ms > 0 ? duration(ms) : '–'}</span>;
    return [
      {
        key: 'time',
        label: t('calls.column.time'),
        value: ({ started_at }) => started_at,
        render: ({ started_at }) => <span className="calls-time">{brief(started_at)}</span>,
        sort: false,
        narrow: 'note',
      },
      {
        key: 'caller',
        label: t('calls.column.caller'),
        value: ({ caller }) => caller,
        render: ({ caller, caller_name: name }) => (
          <span className="caller">
            <bdi>{caller ?? t('calls.withheld')}</bdi>
            {name && name !== caller && <small>{name}</small>}
          </span>
        ),
        sort: false,
        narrow: 'lead',
      },
      {
        key: 'dialled',
        label: t('calls.column.dialled'),
        value: ({ dialled }) => dialled,
        render: ({ dialled }) => <bdi className="calls-number">{dialled}</bdi>,
        sort: false,
      },
      {
        key: 'entry',
        label: t('calls.column.entry'),
        value: ({ entry }) => names(entry).name,
        render: ({ entry }) => <NamedLink reference={entry} />,
        sort: false,
        narrow: 'middle',
      },
      {
        key: 'outcome',
        label: t('calls.column.outcome'),
        value: ({ outcome }) => outcome,
        render: ({ outcome, schema }) => <OutcomeBadge outcome={outcome} schema={schema} />,
        sort: false,
        narrow: 'end',
      },
      {
        key: 'agent',
        label: t('calls.column.agent'),
        value: ({ answered_by }) => answered_by,
        render: ({ answered_by: eid }) =>
          eid === null ? (
            <span className="calls-none">–</span>
          ) : (
            <NamedLink reference={`extension||${eid}`} />
          ),
        sort: false,
      },
      {
        key: 'wait',
        label: t('calls.column.wait'),
        value: ({ wait_ms }) => wait_ms,
        render: ({ wait_ms }) => time(wait_ms ?? 0),
        number: true,
        sort: false,
      },
      {
        key: 'ring',
        label: t('calls.column.ring'),
        value: ({ ring_ms }) => ring_ms,
        render: ({ ring_ms }) => time(ring_ms),
        number: true,
        sort: false,
      },
      {
        key: 'talk',
        label: t('calls.column.talk'),
        value: ({ talk_ms }) => talk_ms,
        render: ({ talk_ms }) => time(talk_ms),
        number: true,
        sort: false,
        narrow: 'last',
      },
    ];
  }, [words, names]);
}

const FORMATS = ['csv', 'xlsx'] as const;

/** Exports all matching calls, not only the pages shown. */
function Download({ filters }: { readonly filters: Filters }) {
  const { t } = useWords();
  const toast = useToast();
  const attempt = useAttempt();
  const [busy, setBusy] = useState<string | null>(null);
  const download = async (format: (typeof FORMATS)[number]): Promise<void> => {
    setBusy(format);
    await attempt(async () => {
      const query = { ...questionOf(filters), timezone: viewerZone() };
      const answer = await (format === 'csv'
        ? client.exportCallRecords({ query })
        : client.exportCallWorkbook({ query }));
      saveFile(await answer.blob(), `call-records.${format}`);
      toast(t(`calls.${format}.done`));
    });
    setBusy(null);
  };
  return FORMATS.map((format) => (
    <Button
      key={format}
      icon="download"
      busy={busy === format}
      disabled={busy !== null}
      onClick={() => void download(format)}
    >
      {t(`calls.${format}`)}
    </Button>
  ));
}
