// The own account of the signed-in user: name, password, second factors, sessions.
import type { OwnUser } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useWords } from '../../words/words.tsx';
import { ChangePassword } from './change-password.tsx';
import { Passkeys } from './passkeys.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { Totp } from './totp.tsx';
import '../records/records.css';
import './account.css';

export function Page() {
  const { t } = useWords();
  const { value, error, again } = useAsk((signal) => client.getOwnUser({ signal }), []);
  return (
    <Frame title={t('account.title')} intro={t('account.intro')}>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && <Parts value={value} again={again} />}
    </Frame>
  );
}

function Parts({
  value: { user, sessions },
  again,
}: {
  readonly value: OwnUser;
  readonly again: () => void;
}) {
  const { t } = useWords();
  if (!user) return <Notice tone="info">{t('account.none')}</Notice>;
  return (
    <div className="account">
      <Profile user={user} onChange={again} />
      <ChangePassword user={user} onChange={again} />
      <Totp user={user} onChange={again} />
      <Passkeys user={user} onChange={again} />
      <Sessions sessions={sessions} onChange={again} />
    </div>
  );
}
