import { useState } from 'react';
import type { User } from '../../../../client/operations.ts';
import { manages } from '../../../../src/domain/roles.ts';
import { useAsk } from '../../data/ask.ts';
import { useSession } from '../../data/session.tsx';
import { readUsers } from '../../data/users.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading, Notice } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { go } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { type Secret, ShownOnce } from '../records/shown-once.tsx';
import { EditUser } from './edit-user.tsx';
import { InviteUser } from './invite-user.tsx';
import type { MadeLink } from './made-link.ts';
import '../records/records.css';

const TONES = { active: 'good', invited: 'info', disabled: 'bad' } as const;

export function Page() {
  const { t } = useWords();
  const { account } = useSession();
  const { value, error, again } = useAsk(readUsers, []);
  const [inviting, setInviting] = useState(false);
  const [editing, setEditing] = useState<User | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [mailed, setMailed] = useState<MadeLink | null>(null);
  const showLink = (made: MadeLink): void => {
    const { name, path } = made;
    setMailed(path === null ? made : null);
    if (path === null) return;
    setSecret({
      title: t('users.link', { name }),
      label: t('users.link.label'),
      text: `${location.origin}${path}`,
      more: <p>{t('users.link.text', { name })}</p>,
    });
  };
  const invite = (
    <Button kind="primary" icon="add" onClick={() => setInviting(true)}>
      {t('users.new')}
    </Button>
  );
  const owner = (
    <Button kind="primary" onClick={() => go('/owner')}>
      {t('users.owner')}
    </Button>
  );
  return (
    <Frame title={t('users.title')} intro={t('users.intro')} actions={!account?.owner_missing && invite}>
      {mailed && (
        <Notice tone={mailed.mailed ? 'good' : 'bad'}>
          {t(mailed.mailed ? 'users.link.mailed' : 'users.link.notMailed', { name: mailed.name })}
        </Notice>
      )}
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && value.length === 0 && (
        <Empty
          icon="team"
          title={t('users.empty.title')}
          text={t('users.empty.text')}
          action={account?.owner_missing && owner}
        />
      )}
      {value && value.length > 0 && <Users items={value} onEdit={setEditing} />}
      {inviting && (
        <InviteUser
          onClose={() => setInviting(false)}
          onMade={(link) => {
            setInviting(false);
            again();
            showLink(link);
          }}
        />
      )}
      {editing && (
        <EditUser
          user={editing}
          onClose={() => {
            setEditing(null);
            again();
          }}
          onLink={(link) => {
            setEditing(null);
            again();
            showLink(link);
          }}
        />
      )}
      <ShownOnce secret={secret} onClose={() => setSecret(null)} />
    </Frame>
  );
}

interface UsersProps {
  readonly items: readonly User[];
  readonly onEdit: (user: User) => void;
}

function Users({ items, onEdit }: UsersProps) {
  const { t, relative } = useWords();
  const role = useSession().account?.user?.role ?? null;
  return (
    <Table
      label={t('users.title')}
      rows={items}
      rowKey={({ id }) => id}
      sortedBy="name"
      columns={[
        { key: 'name', label: t('users.name'), value: ({ name }) => name },
        { key: 'email', label: t('users.email'), value: ({ email }) => email },
        { key: 'role', label: t('users.role'), value: (user) => t(`users.role.${user.role}`) },
        {
          key: 'state',
          label: t('users.state'),
          value: ({ state }) => t(`users.state.${state}`),
          render: ({ state }) => <Badge tone={TONES[state]}>{t(`users.state.${state}`)}</Badge>,
        },
        {
          key: 'factor',
          label: t('users.factor'),
          value: ({ totp, passkeys }) =>
            t(totp || passkeys.length > 0 ? 'users.factor.on' : 'users.factor.off'),
        },
        {
          key: 'last',
          label: t('users.lastSignIn'),
          value: ({ last_sign_in_at }) => last_sign_in_at,
          render: ({ last_sign_in_at: at }) => (at === null ? t('users.never') : relative(at)),
        },
      ]}
      actions={(user) =>
        manages(role, user.role) && (
          <Button aria-label={t('users.edit.this', { name: user.name })} onClick={() => onEdit(user)}>
            {t('users.edit')}
          </Button>
        )
      }
    />
  );
}
