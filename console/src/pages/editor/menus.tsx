import { useEffect, useMemo, useRef } from 'react';
import type { Ivr } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useMayChange } from '../../data/may.ts';
import { useRecords } from '../../data/records.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { CallThis } from '../../phone-dock/call-this.tsx';
import { asLeft, go, Link, pathTo, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { useSelection } from '../bulk/use-selection.tsx';
import { LinkButton } from '../records/record-list.tsx';
import { WhereUsed } from '../records/where-used.tsx';
import { Gallery } from '../templates/gallery.tsx';
import './editor.css';
import { MenuEditor } from './menu-editor.tsx';

export function Page() {
  const { parts } = useRoute();
  const id = parts[1];
  const before = useRef(id);
  useEffect(() => {
    // For screen readers a menu is a new page after the list; a new menu that gets its id is not.
    if (before.current !== id && before.current !== 'new')
      document.querySelector<HTMLElement>('main')?.focus();
    before.current = id;
  }, [id]);
  if (id === 'templates') return <Templates />;
  return id === undefined ? <Menus /> : <Menu id={id === 'new' ? null : id} />;
}

function Menu({ id }: { readonly id: string | null }) {
  const { t } = useWords();
  const menus = useRecords('ivr').items;
  const name =
    id === null ? t('editor.new') : (menus.find((menu) => menu.id === id)?.name ?? t('shell.page.menus'));
  return (
    <Frame
      title={name}
      actions={
        <>
          {id === null && <LinkButton to="/menus/templates" label={t('templates.from')} />}
          <Link to={asLeft('/menus')}>{t('editor.all')}</Link>
        </>
      }
    >
      <MenuEditor
        id={id}
        alone
        onClose={() => go(asLeft('/menus'))}
        onSaved={(saved) => saved !== id && go(pathTo('menus', saved), { replace: true })}
      />
      {id !== null && <WhereUsed kind="ivr" id={id} />}
    </Frame>
  );
}

function Templates() {
  const { t } = useWords();
  return (
    <Frame title={t('templates.from')} actions={<Link to={asLeft('/menus')}>{t('editor.all')}</Link>}>
      <Gallery />
    </Frame>
  );
}

function Menus() {
  const { t, relative } = useWords();
  const menus = useRecords('ivr');
  const { selection, bar } = useSelection('ivr', menus.items);
  const lint = useAsk(() => client.lint(), [menus.items]).value;
  const worst = useMemo(() => {
    const found = new Map<string, { errors: number; warnings: number }>();
    for (const { node, severity } of lint?.data ?? []) {
      const one = found.get(node) ?? { errors: 0, warnings: 0 };
      found.set(
        node,
        severity === 'error' ? { ...one, errors: one.errors + 1 } : { ...one, warnings: one.warnings + 1 },
      );
    }
    return found;
  }, [lint]);
  const columns = useMemo<readonly Column<Ivr>[]>(
    () => [
      { key: 'name', label: t('editor.field.name'), value: ({ name }) => name },
      { key: 'description', label: t('editor.field.description'), value: ({ description }) => description },
      { key: 'keys', label: t('editor.keys'), value: ({ option }) => option.join(' '), sort: false },
      {
        key: 'advice',
        label: t('editor.findings'),
        value: ({ id }) => {
          const { errors = 0, warnings = 0 } = worst.get(`ivr||${id}`) ?? {};
          return errors * 1000 + warnings;
        },
        render: ({ id }) =>
          lint ? <Advice {...(worst.get(`ivr||${id}`) ?? { errors: 0, warnings: 0 })} /> : '…',
      },
      {
        key: 'updated',
        label: t('editor.updated'),
        value: ({ updated_at }) => updated_at,
        render: ({ updated_at }) => relative(updated_at),
      },
      {
        key: 'call',
        label: t('dock.call'),
        value: () => '',
        sort: false,
        render: ({ id, name }) => <CallThis to={`ivr||${id}`} name={name} />,
      },
    ],
    [t, lint, worst, relative],
  );
  const create = useMayChange('ivr') && (
    <>
      <LinkButton to="/menus/templates" label={t('templates.from')} />
      <Button kind="primary" icon="add" onClick={() => go('/menus/new')}>
        {t('editor.new')}
      </Button>
    </>
  );
  return (
    <Frame title={t('shell.page.menus')} intro={t('editor.menus.intro')} actions={create}>
      {menus.state === 'failed' && <Failure error={menus.error} onAgain={menus.reload} />}
      {menus.state === 'loading' && <Loading />}
      {menus.state === 'ready' && bar}
      {menus.state === 'ready' && (
        <Table
          selection={selection}
          label={t('shell.page.menus')}
          inAddress
          columns={columns}
          rows={menus.items}
          rowKey={({ id }) => id}
          rowLink={({ id }) => pathTo('menus', id)}
          sortedBy="name"
          empty={
            <Empty
              icon="menu"
              title={t('editor.menus.none')}
              text={t('editor.menus.none.text')}
              action={create}
            />
          }
        />
      )}
    </Frame>
  );
}

function Advice({ errors, warnings }: { readonly errors: number; readonly warnings: number }) {
  const { t } = useWords();
  if (errors > 0) return <Badge tone="bad">{t('editor.errors', { count: errors })}</Badge>;
  if (warnings > 0) return <Badge tone="warn">{t('editor.warnings', { count: warnings })}</Badge>;
  return <Badge tone="good">{t('editor.fine')}</Badge>;
}
