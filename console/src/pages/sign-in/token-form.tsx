import { type FormEvent, useState } from 'react';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { go } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';

export function TokenForm({ next }: { readonly next: string }) {
  const { t, hinted } = useWords();
  const { signIn } = useSession();
  const [token, setToken] = useState('');
  const [missing, setMissing] = useState(false);
  const { faults, busy, send } = useRequest();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setMissing(token.trim() === '');
    if (token.trim() === '') return;
    await send(async () => {
      await signIn({ token: token.trim() });
      go(next, { replace: true });
    });
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        {...hinted('signIn.token')}
        type="password"
        autoComplete="current-password"
        value={token}
        onChange={setToken}
        fault={missing ? t('signIn.token.missing') : (faults.at('/token') ?? faults.general)}
      />
      <Button kind="primary" type="submit" busy={busy}>
        {t('signIn.submit')}
      </Button>
    </form>
  );
}
