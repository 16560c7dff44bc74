import { useMemo, useState } from 'react';
import type { AuditEntry } from '../../../../client/operations.ts';
import { keysOf } from '../../../../src/kinds/lists.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { KINDS, type Kind } from '../../data/kinds.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Link, pathTo, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { Changes } from './changes.tsx';
import '../records/records.css';

const STEP = 100;
const MOST = 2_000;
const ACTIONS = [
  'create',
  'update',
  'delete',
  'restore',
  'erase',
  'hang_up',
  'transfer',
  'consult',
  'consult_complete',
  'consult_cancel',
  'listen_monitor',
  'listen_whisper',
  'listen_barge',
  'click_to_call',
  'replay',
  'invite',
  'accept',
  'reset_link',
  'reset_password',
  'change_password',
  'totp_on',
  'totp_off',
  'second_factor_reset',
  'passkey_add',
  'passkey_delete',
] as const;
const FILTERS: readonly Kind[] = keysOf(KINDS);

/** Reads pages until there are this many entries. */
async function read(limit: number, kind: string, recordId: string | null, signal: AbortSignal) {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: { data: AuditEntry[]; next_cursor: string | null } = await client.listAudit({
      query: {
        limit: Math.min(STEP, limit - entries.length),
        ...(kind === '' ? {} : { kind }),
        ...(recordId === null ? {} : { record_id: recordId }),
        ...(cursor === null ? {} : { cursor }),
      },
      signal,
    });
    entries.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && entries.length < limit);
  return { entries, more: cursor !== null };
}

export function Page() {
  const { t, dateTime } = useWords();
  const { query } = useRoute();
  const recordId = query.get('record');
  const [kind, setKind] = useState('');
  const [limit, setLimit] = useState(STEP);
  const { value, error, again } = useAsk(
    (signal) => read(limit, kind, recordId, signal),
    [limit, kind, recordId],
  );
  const filters = useMemo(
    () => [
      { value: '', label: t('audit.kind.all') },
      ...FILTERS.map((each) => ({ value: each, label: t(`kit.kind.${each}`) })),
      { value: 'settings', label: t('settings.title') },
      { value: 'user', label: t('audit.kind.user') },
      { value: 'session', label: t('audit.kind.session') },
      { value: 'call', label: t('audit.kind.call') },
      { value: 'voicemail_message', label: t('audit.kind.voicemail_message') },
      { value: 'call_recording', label: t('audit.kind.call_recording') },
    ],
    [t],
  );
  const kindName = (name: string) => filters.find((filter) => filter.value === name)?.label ?? name;
  return (
    <Frame title={t('audit.title')} intro={t('audit.intro')}>
      <div className="records-columns records-filter">
        <SelectField label={t('audit.kind')} value={kind} onChange={setKind} options={filters} />
      </div>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && (
        <Table
          label={t('audit.title')}
          rows={value.entries}
          rowKey={({ id }) => id}
          empty={<Empty icon="history" title={t('audit.empty.title')} text={t('audit.empty.text')} />}
          columns={[
            { key: 'at', label: t('audit.at'), value: ({ at }) => at, render: ({ at }) => dateTime(at) },
            { key: 'who', label: t('audit.who'), value: ({ actor_name }) => actor_name },
            { key: 'action', label: t('audit.action'), value: ({ action }) => actionName(action, t) },
            { key: 'kind', label: t('audit.kind'), value: (entry) => kindName(entry.kind) },
            {
              key: 'record',
              label: t('audit.record'),
              value: ({ record_name, record_id }) => record_name ?? record_id,
              render: (entry) => <Record entry={entry} />,
            },
            {
              key: 'changes',
              label: t('audit.changes'),
              value: ({ changes }) => changes?.map(({ member }) => member).join(' ') ?? '',
              render: ({ changes }) => <Changes changes={changes} />,
              sort: false,
            },
            { key: 'version', label: t('audit.version'), value: ({ version }) => version, number: true },
          ]}
        />
      )}
      {value?.more && limit < MOST && (
        <Button onClick={() => setLimit(Math.min(MOST, limit + STEP))}>{t('records.more')}</Button>
      )}
    </Frame>
  );
}

type Translate = ReturnType<typeof useWords>['t'];

/** Other actions are shown as the API names them. */
function actionName(action: string, t: Translate): string {
  const known = ACTIONS.find((each) => each === action);
  return known ? t(`audit.action.${known}`) : action.replaceAll('_', ' ');
}

function Record({ entry }: { readonly entry: AuditEntry }) {
  const kind = FILTERS.find((each) => each === entry.kind);
  // The page of an agent needs its eid, which audit entries do not have.
  const linked = kind !== undefined && kind !== 'agent' && kind !== 'token' && entry.action !== 'delete';
  const name = entry.record_name ?? <span className="records-id">{entry.record_id}</span>;
  return linked ? <Link to={pathTo(KINDS[kind].page, entry.record_id)}>{name}</Link> : name;
}
