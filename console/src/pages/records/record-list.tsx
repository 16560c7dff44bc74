import type { ReactNode } from 'react';
import { KINDS, type RecordOf } from '../../data/kinds.ts';
import { useMayChange } from '../../data/may.ts';
import { MOST_HELD, useRecords } from '../../data/records.ts';
import { Icon, type IconName } from '../../kit/icon.tsx';
import { Page } from '../../kit/page.tsx';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { useSelection } from '../bulk/use-selection.tsx';
import { LISTED, type ListedKind } from './listed-kinds.ts';
import './records.css';

interface RecordListProps<K extends ListedKind> {
  readonly kind: K;
  readonly columns: readonly Column<RecordOf<K>>[];
  readonly actions?: ReactNode;
  readonly rowActions?: (row: RecordOf<K>) => ReactNode;
}

export function RecordList<K extends ListedKind>({ kind, columns, actions, rowActions }: RecordListProps<K>) {
  const { t } = useWords();
  const { items, state, error, reload } = useRecords(kind);
  const { idOf, page } = KINDS[kind];
  const { words, icon } = LISTED[kind];
  const { selection, bar } = useSelection(kind, items);
  const title = t(`${words}.title`);
  const mayChange = useMayChange(kind);
  const make = mayChange && (
    <LinkButton to={pathTo(page, 'new')} icon="add" label={t(`${words}.new`)} primary />
  );
  return (
    <Page
      title={title}
      intro={t(`${words}.intro`)}
      actions={
        <>
          {mayChange && actions}
          {make}
        </>
      }
    >
      {state === 'failed' && <Failure error={error} onAgain={reload} />}
      {state === 'loading' && items.length === 0 && <Loading />}
      {items.length >= MOST_HELD && <Notice tone="info">{t('records.cut', { count: items.length })}</Notice>}
      {(state === 'ready' || items.length > 0) && (
        <div className="records-scroll">
          {bar}
          <Table
            selection={selection}
            label={title}
            inAddress
            columns={columns}
            rows={items}
            rowKey={idOf}
            rowLink={(row) => pathTo(page, idOf(row))}
            {...(rowActions ? { actions: rowActions } : {})}
            empty={
              <Empty
                icon={icon}
                title={t(`${words}.empty.title`)}
                text={t(`${words}.empty.text`)}
                action={make}
              />
            }
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
