// The list of one kind of record, with its empty state.
import type { ReactNode } from 'react';
import { KINDS, type Kind, type RecordOf } from '../../data/kinds.ts';
import { MOST_HELD, useRecords } from '../../data/records.ts';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { Page } from '../../kit/page.tsx';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import './records.css';

interface RecordListProps<K extends Kind> {
  readonly kind: K;
  readonly icon: IconName;
  readonly title: string;
  readonly intro: string;
  readonly newLabel: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  readonly columns: readonly Column<RecordOf<K>>[];
  readonly actions?: ReactNode;
  readonly rowActions?: (row: RecordOf<K>) => ReactNode;
}

export function RecordList<K extends Kind>(props: RecordListProps<K>) {
  const { kind, icon, title, intro, newLabel, emptyTitle, emptyText, columns, actions, rowActions } = props;
  const { t } = useWords();
  const { items, state, error, reload } = useRecords(kind);
  const { idOf, page } = KINDS[kind];
  const make = <LinkButton to={pathTo(page, 'new')} icon="add" label={newLabel} primary />;
  return (
    <Page
      title={title}
      intro={intro}
      actions={
        <>
          {actions}
          {make}
        </>
      }
    >
      {state === 'failed' && <Failure error={error} onAgain={reload} />}
      {state === 'loading' && items.length === 0 && <Loading />}
      {items.length >= MOST_HELD && <Notice tone="info">{t('records.cut', { count: items.length })}</Notice>}
      {(state === 'ready' || items.length > 0) && (
        <div className="records-scroll">
          <Table
            label={title}
            inAddress
            columns={columns}
            rows={items}
            rowKey={idOf}
            rowLink={(row) => pathTo(page, idOf(row))}
            {...(rowActions ? { actions: rowActions } : {})}
            empty={<Empty icon={icon} title={emptyTitle} text={emptyText} action={make} />}
          />
        </div>
      )}
    </Page>
  );
}

interface LinkButtonProps {
  readonly to: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly primary?: boolean;
}

export function LinkButton({ to, label, icon, primary = false }: LinkButtonProps) {
  return (
    <Link to={to} className={`button ${primary ? 'button-primary' : 'button-plain'}`}>
      {icon && <Icon name={icon} />}
      <span>{label}</span>
    </Link>
  );
}

/** A destination in a list: its name, as a link. */
export function DestinationLink({
  named,
}: {
  readonly named: { name: string; to: string | null; missing: boolean } | null;
}) {
  const { t } = useWords();
  if (named === null) return <span className="records-quiet">{t('kit.none')}</span>;
  if (named.to === null) return <span className={named.missing ? 'records-missing' : ''}>{named.name}</span>;
  return <Link to={named.to}>{named.name}</Link>;
}
