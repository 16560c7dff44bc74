// A table with search, sorting and pages, all in the browser. On a narrow screen each row is a card.
import { type ReactNode, useMemo } from 'react';
import { Link } from '../router.tsx';
import { useWords } from '../words/words.tsx';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';
import { type Order, useTableLook } from './table-look.ts';
import { SelectAll, type Selection, SelectRow } from './table-selection.tsx';

export type Cell = string | number | boolean | null | undefined;

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  /** The value to sort and search by; also what is shown without `render`. */
  readonly value: (row: Row) => Cell;
  readonly render?: (row: Row) => ReactNode;
  /** False: the column cannot be sorted. */
  readonly sort?: boolean;
  /** Numbers are aligned to the end of the cell. */
  readonly number?: boolean;
  /**
   * Where it stands at phone size, if a row is two lines there: `lead` and `end` are the first, `note`, `middle` and `last` the
   * second. As soon as one column has a place, those without one are left out at that size.
   */
  readonly narrow?: 'lead' | 'end' | 'note' | 'middle' | 'last';
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The link in the first column. */
  readonly rowLink?: (row: Row) => string | null;
  readonly search?: boolean;
  readonly pageSize?: number;
  readonly actions?: (row: Row) => ReactNode;
  readonly empty?: ReactNode;
  /** A column; with a minus in front from the highest down. */
  readonly sortedBy?: string;
  /** Checkboxes before the rows; without it nothing can be selected. */
  readonly selection?: Selection<Row> | undefined;
  /** The main table of its page: its view is kept in the URL. */
  readonly inAddress?: boolean;
}

export function searched<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  text: string,
): readonly Row[] {
  const wanted = text.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return rows;
  return rows.filter((row) => {
    const haystack = columns
      .map(({ value }) => value(row) ?? '')
      .join('\n')
      .toLocaleLowerCase();
    return wanted.every((word) => haystack.includes(word));
  });
}

export function sorted<Row>(
  rows: readonly Row[],
  { value }: Pick<Column<Row>, 'value'>,
  down: boolean,
  language?: string,
): readonly Row[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const order = (a: Cell, b: Cell): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a ?? ''), String(b ?? ''));
  return [...rows].sort((a, b) => order(value(a), value(b)) * (down ? -1 : 1));
}

export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  rowLink,
  search = true,
  pageSize = 25,
  actions,
  empty,
  sortedBy,
  selection,
  inAddress = false,
}: TableProps<Row>) {
  const { t, language } = useWords();
  const [{ text, order, page }, setLook] = useTableLook(inAddress, sortedBy);
  const found = useMemo(() => searched(rows, columns, text), [rows, columns, text]);
  const { key: by = null, down = false } = order ?? {};
  const inOrder = useMemo(() => {
    const column = columns.find(({ key }) => key === by);
    return column ? sorted(found, column, down, language) : found;
  }, [found, columns, by, down, language]);
  const pages = Math.max(1, Math.ceil(inOrder.length / pageSize));
  const shownPage = Math.min(page, pages - 1);
  const shown = inOrder.slice(shownPage * pageSize, (shownPage + 1) * pageSize);
  const isBrief = columns.some(({ narrow }) => narrow);
  if (rows.length === 0 && empty) return empty;
  const sortBy = (key: string): void => setLook({ order: { key, down: by === key ? !down : false } });
  return (
    <section className={isBrief ? 'table table-brief' : 'table'} aria-label={label}>
      {search && (
        <div className="table-search">
          <label className="search">
            <Icon name="search" />
            <span className="unseen">{t('kit.search')}</span>
            <input
              type="search"
              placeholder={t('kit.search')}
              value={text}
              onChange={({ target }) => setLook({ text: target.value, page: 0 })}
            />
          </label>
          <p role="status" className="table-count">
            {t('kit.found', { count: inOrder.length })}
          </p>
        </div>
      )}
      {shown.length === 0 && text !== '' ? (
        <p className="table-none">{t('kit.noMatch', { text })}</p>
      ) : (
        // display: block (narrow screens) removes the table roles, so they are set explicitly.
        <table role="table" aria-label={label}>
          <thead role="rowgroup" data-label={t('kit.sort')}>
            <tr role="row">
              {selection && <SelectAll rows={inOrder} rowKey={rowKey} selection={selection} />}
              {columns.map((column) => (
                <Head
                  key={column.key}
                  column={column}
                  order={order}
                  onSort={sortBy}
                  isWide={isBrief && !column.narrow}
                />
              ))}
              {actions && (
                <th role="columnheader" scope="col" className="table-unsorted">
                  <span className="unseen">{t('kit.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {shown.map((row) => (
              <tr key={rowKey(row)} role="row">
                {selection && <SelectRow row={row} rows={shown} rowKey={rowKey} selection={selection} />}
                {columns.map((column, index) => (
                  <td key={column.key} role="cell" data-label={column.label} className={classesOf(column)}>
                    <CellOf row={row} column={column} link={index === 0 ? (rowLink?.(row) ?? null) : null} />
                  </td>
                ))}
                {actions && (
                  <td role="cell" className="table-actions">
                    {actions(row)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {pages > 1 && (
        <nav className="table-pages" aria-label={label}>
          <IconButton
            icon="back"
            label={t('kit.previous')}
            disabled={shownPage === 0}
            onClick={() => setLook({ page: shownPage - 1 })}
          />
          <span role="status">{t('kit.page', { page: shownPage + 1, pages })}</span>
          <IconButton
            icon="arrow"
            label={t('kit.next')}
            disabled={shownPage === pages - 1}
            onClick={() => setLook({ page: shownPage + 1 })}
          />
        </nav>
      )}
    </section>
  );
}

const classesOf = <Row,>({ number, narrow }: Column<Row>): string | undefined =>
  [number ? 'table-number' : '', narrow ? `table-at-${narrow}` : ''].join(' ').trim() || undefined;

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly order: Order | null;
  readonly onSort: (key: string) => void;
  /** Left out at phone size, with its cells. */
  readonly isWide: boolean;
}

function Head<Row>({ column: { key, label, sort = true, number }, order, onSort, isWide }: HeadProps<Row>) {
  const { t } = useWords();
  const mine = order?.key === key;
  const direction = mine ? (order.down ? 'descending' : 'ascending') : 'none';
  return (
    <th
      role="columnheader"
      scope="col"
      className={
        [number ? 'table-number' : '', sort ? '' : 'table-unsorted', isWide ? 'table-wide' : '']
          .join(' ')
          .trim() || undefined
      }
      {...(sort ? { 'aria-sort': direction } : {})}
    >
      {sort ? (
        <button type="button" title={t('kit.sortBy', { column: label })} onClick={() => onSort(key)}>
          {label}
          <span aria-hidden="true" className="table-order">
            {mine ? (order.down ? '▾' : '▴') : ''}
          </span>
        </button>
      ) : (
        label
      )}
    </th>
  );
}

function CellOf<Row>({
  row,
  column,
  link,
}: {
  readonly row: Row;
  readonly column: Column<Row>;
  readonly link: string | null;
}) {
  const { t, number } = useWords();
  const value = column.value(row);
  const plain =
    typeof value === 'boolean'
      ? t(value ? 'kit.yes' : 'kit.no')
      : typeof value === 'number'
        ? number(value)
        : value;
  const shown = column.render ? column.render(row) : plain;
  // An empty name still needs text to click on.
  return link === null ? (
    shown
  ) : (
    <Link to={link} className="table-link">
      {shown === '' || shown === null || shown === undefined ? '–' : shown}
    </Link>
  );
}
