// Records that were deleted within the last 30 days: restored, or erased for good.
import { useState } from 'react';
import type { DeletedRecord } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { KINDS } from '../../data/kinds.ts';
import { changed } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { go, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import '../records/records.css';

const STEP = 200;
const MOST = 1_000;

async function read(limit: number, signal: AbortSignal) {
  const rows: DeletedRecord[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: DeletedRecord[]; next_cursor: string | null } = await client.listDeletedRecords({
      query: { limit: Math.min(STEP, limit - rows.length), ...(cursor === null ? {} : { cursor }) },
      signal,
    });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && rows.length < limit);
  return { rows, more: cursor !== null };
}

export function Page() {
  const { t, dateTime, date } = useWords();
  const [limit, setLimit] = useState(STEP);
  const { value, error, again } = useAsk((signal) => read(limit, signal), [limit]);
  return (
    <Frame title={t('deleted.title')} intro={t('deleted.intro')}>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && (
        <Table
          label={t('deleted.title')}
          rows={value.rows}
          rowKey={({ id }) => id}
          empty={<Empty icon="trash" title={t('deleted.empty.title')} text={t('deleted.empty.text')} />}
          actions={(row) => <Actions row={row} onDone={again} />}
          columns={[
            { key: 'name', label: t('records.name'), value: ({ name }) => name, narrow: 'lead' },
            {
              key: 'kind',
              label: t('audit.kind'),
              value: ({ kind }) => t(`kit.kind.${kind}`),
              narrow: 'middle',
            },
            {
              key: 'at',
              label: t('deleted.at'),
              value: ({ deleted_at }) => deleted_at,
              render: ({ deleted_at }) => dateTime(deleted_at),
              narrow: 'note',
            },
            { key: 'by', label: t('deleted.by'), value: ({ deleted_by }) => deleted_by },
            {
              key: 'until',
              label: t('deleted.until'),
              value: ({ kept_until }) => kept_until,
              render: ({ kept_until }) => date(kept_until),
            },
          ]}
        />
      )}
      {value?.more && limit < MOST && (
        <Button onClick={() => setLimit(Math.min(MOST, limit + STEP))}>{t('records.more')}</Button>
      )}
    </Frame>
  );
}

function Actions({ row, onDone }: { readonly row: DeletedRecord; readonly onDone: () => void }) {
  const { t } = useWords();
  const toast = useToast();
  const attempt = useAttempt();
  const confirm = useConfirm();
  const [busy, setBusy] = useState(false);
  const { name } = row;
  const params = { id: row.id };
  const work = async (act: () => Promise<void>): Promise<void> => {
    setBusy(true);
    await attempt(act);
    setBusy(false);
  };
  const restore = (): Promise<void> =>
    work(async () => {
      const { kind, record_id: id } = await client.restoreDeletedRecord({ params });
      changed(kind);
      toast(t('deleted.restored', { name }));
      go(pathTo(KINDS[kind].page, id));
    });
  const erase = async (): Promise<void> => {
    const question = { title: t('deleted.erase.title', { name }), text: t('deleted.erase.text') };
    if (!(await confirm({ ...question, action: t('deleted.erase'), danger: true }))) return;
    await work(async () => {
      await client.eraseDeletedRecord({ params });
      toast(t('deleted.erased', { name }));
      onDone();
    });
  };
  return (
    <>
      <Button
        icon="undo"
        busy={busy}
        aria-label={t('deleted.restoreName', { name })}
        onClick={() => void restore()}
      >
        {t('deleted.restore')}
      </Button>{' '}
      <Button
        kind="danger"
        busy={busy}
        aria-label={t('deleted.eraseName', { name })}
        onClick={() => void erase()}
      >
        {t('deleted.erase')}
      </Button>
    </>
  );
}
