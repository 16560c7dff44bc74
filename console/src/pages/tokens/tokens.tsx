import { useState } from 'react';
import type { Token } from '../../../../client/operations.ts';
import { allows, SCOPES, type Scope } from '../../../../src/domain/account.ts';
import { SCOPES_OF } from '../../../../src/domain/user.ts';
import { client } from '../../data/client.ts';
import { changed, useRecords } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { FormDialog, useConfirm } from '../../kit/dialog.tsx';
import { useRequest } from '../../kit/faults.ts';
import { CheckField, SelectField, TextField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { type Secret, ShownOnce } from '../records/shown-once.tsx';
import '../records/records.css';

const DAYS = [7, 30, 90, 365] as const;

export function Page() {
  const { t } = useWords();
  const { items, state, error, reload } = useRecords('token');
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const make = (
    <Button kind="primary" icon="add" onClick={() => setMaking(true)}>
      {t('tokens.new')}
    </Button>
  );
  return (
    <Frame title={t('tokens.title')} intro={t('tokens.intro')} actions={make}>
      {state === 'failed' && <Failure error={error} onAgain={reload} />}
      {state === 'loading' && items.length === 0 && <Loading />}
      {state === 'ready' && <Tokens items={items} />}
      {making && (
        <NewToken
          onClose={() => setMaking(false)}
          onMade={(name, token) => {
            setMaking(false);
            setSecret({ title: t('tokens.token.of', { name }), label: t('tokens.token'), text: token });
          }}
        />
      )}
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </Frame>
  );
}

function Tokens({ items }: { readonly items: readonly Token[] }) {
  const { t, dateTime, date, relative } = useWords();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const revoke = async ({ id, name }: Token): Promise<void> => {
    const question = { title: t('tokens.revoke.title', { name }), text: t('tokens.revoke.text') };
    if (!(await confirm({ ...question, action: t('tokens.revoke'), danger: true }))) return;
    if (await attempt(() => client.revokeToken({ params: { id } }))) toast(t('tokens.revoked'));
    changed('token');
  };
  const expiry = ({ expires_at: at }: Token) => {
    if (at === null) return t('tokens.expiry.never');
    return Date.parse(at) < Date.now() ? <Badge tone="bad">{t('tokens.expired')}</Badge> : date(at);
  };
  const nameOf = (id: string | null) =>
    items.find((token) => token.id === id)?.name ?? t('tokens.parent.none');
  return (
    <Table
      label={t('tokens.title')}
      rows={items}
      rowKey={({ id }) => id}
      empty={<Empty icon="key" title={t('tokens.empty.title')} text={t('tokens.empty.text')} />}
      columns={[
        { key: 'name', label: t('records.name'), value: ({ name }) => name },
        {
          key: 'scopes',
          label: t('tokens.scopes'),
          value: ({ scopes }) => scopes.map((scope) => t(`tokens.scope.${scope}`)).join(', '),
        },
        {
          key: 'user',
          label: t('tokens.user'),
          value: ({ user_name }) => user_name ?? t('tokens.user.none'),
        },
        { key: 'parent', label: t('tokens.parent'), value: ({ parent_id }) => nameOf(parent_id) },
        {
          key: 'created',
          label: t('tokens.created'),
          value: ({ created_at }) => created_at,
          render: ({ created_at }) => dateTime(created_at),
        },
        {
          key: 'used',
          label: t('tokens.used'),
          value: ({ last_used_at }) => last_used_at,
          render: ({ last_used_at: at }) => (at === null ? t('tokens.unused') : relative(at)),
        },
        { key: 'expires', label: t('tokens.expiry'), value: ({ expires_at }) => expires_at, render: expiry },
      ]}
      actions={(token) => (
        <Button aria-label={t('tokens.revoke.this', { name: token.name })} onClick={() => void revoke(token)}>
          {t('tokens.revoke')}
        </Button>
      )}
    />
  );
}

interface NewTokenProps {
  readonly onClose: () => void;
  readonly onMade: (name: string, token: string) => void;
}

function NewToken({ onClose, onMade }: NewTokenProps) {
  const { t } = useWords();
  const { faults, busy, send } = useRequest();
  const [name, setName] = useState('');
  const [days, setDays] = useState('90');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read']);
  const isAdmin = scopes.includes('admin');
  const role = useSession().account?.user?.role ?? 'owner';
  const offered = SCOPES.filter((scope) => allows({ scopes: SCOPES_OF[role] }, scope));
  const create = () =>
    send(async () => {
      const body = { name, expires_in_days: days === '' ? null : Number(days), scopes: [...scopes] };
      const { token } = await client.createToken({ body });
      changed('token');
      onMade(name, token);
    });
  return (
    <FormDialog
      title={t('tokens.new')}
      action={t('records.create')}
      busy={busy}
      onSubmit={create}
      onClose={onClose}
    >
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
      <TextField
        label={t('records.name')}
        hint={t('tokens.name.hint')}
        value={name}
        onChange={setName}
        fault={faults.at('/name')}
        required
      />
      <SelectField
        label={t('tokens.expiry')}
        value={days}
        onChange={setDays}
        fault={faults.at('/expires_in_days')}
        options={[
          ...DAYS.map((count) => ({ value: String(count), label: t('tokens.expiry.days', { count }) })),
          { value: '', label: t('tokens.expiry.never') },
        ]}
      />
      <fieldset className="records-choices">
        <legend>{t('tokens.scopes')}</legend>
        {faults.at('/scopes') !== undefined && <Notice tone="bad">{faults.at('/scopes')}</Notice>}
        {offered.map((scope) => (
          <CheckField
            key={scope}
            label={t(`tokens.scope.${scope}`)}
            hint={t(`tokens.scope.${scope}.hint`)}
            value={isAdmin || scopes.includes(scope)}
            disabled={isAdmin && scope !== 'admin'}
            onChange={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
          />
        ))}
      </fieldset>
    </FormDialog>
  );
}
