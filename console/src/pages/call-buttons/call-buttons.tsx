// Buttons in web pages that visitors call by: which there are, what each calls and from where, and the script tag of each.
import { useState } from 'react';
import { MAX_CALL_BUTTONS } from '../../../../src/domain/phone-session.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useNames } from '../../data/names.ts';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { CallThis } from '../../phone-dock/call-this.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { ButtonDialog } from './button-dialog.tsx';
import { type CallButton, changeButtons } from './saved-buttons.ts';
import { ScriptDialog } from './script-dialog.tsx';
import './call-buttons.css';

export function Page() {
  const { t } = useWords();
  const { value, error, again } = useAsk((signal) => client.getSettings({ signal }), []);
  const [edited, setEdited] = useState<CallButton | 'new' | null>(null);
  const [shown, setShown] = useState<CallButton | null>(null);
  const make = (
    <Button
      kind="primary"
      icon="add"
      disabled={!value || value.call_buttons.length >= MAX_CALL_BUTTONS}
      onClick={() => setEdited('new')}
    >
      {t('callButtons.new')}
    </Button>
  );
  return (
    <Frame title={t('callButtons.title')} intro={t('callButtons.intro')} actions={make}>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && (
        <Buttons buttons={value.call_buttons} onShow={setShown} onEdit={setEdited} onRevoked={again} />
      )}
      {edited !== null && (
        <ButtonDialog
          button={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onSaved={(button) => {
            if (edited === 'new') setShown(button);
            setEdited(null);
            again();
          }}
        />
      )}
      {shown && <ScriptDialog button={shown} onClose={() => setShown(null)} />}
    </Frame>
  );
}

interface ButtonsProps {
  readonly buttons: readonly CallButton[];
  readonly onShow: (button: CallButton) => void;
  readonly onEdit: (button: CallButton) => void;
  readonly onRevoked: () => void;
}

/** A button without a name is known by its key. */
const nameOf = ({ name, key }: CallButton): string => name || key;

function Buttons({ buttons, onShow, onEdit, onRevoked }: ButtonsProps) {
  const { t } = useWords();
  const named = useNames();
  const confirm = useConfirm();
  const toast = useToast();
  const attempt = useAttempt();
  const goalOf = ({ to }: CallButton) =>
    to.includes('||') ? named(to) : { name: to, to: null as string | null };
  const revoke = async (button: CallButton): Promise<void> => {
    const name = nameOf(button);
    const question = { title: t('callButtons.revoke.title', { name }), text: t('callButtons.revoke.text') };
    if (!(await confirm({ ...question, action: t('callButtons.revoke'), danger: true }))) return;
    const others = (now: readonly CallButton[]) => now.filter(({ key }) => key !== button.key);
    if (await attempt(() => changeButtons(others))) toast(t('callButtons.revoked'));
    onRevoked();
  };
  return (
    <Table
      label={t('callButtons.title')}
      rows={buttons}
      rowKey={({ key }) => key}
      empty={<Empty icon="phone" title={t('callButtons.empty.title')} text={t('callButtons.empty.text')} />}
      columns={[
        { key: 'name', label: t('records.name'), value: nameOf },
        {
          key: 'to',
          label: t('callButtons.to'),
          value: (button) => goalOf(button).name,
          render: (button) => {
            const { name, to } = goalOf(button);
            return to === null ? name : <Link to={to}>{name}</Link>;
          },
        },
        {
          key: 'origins',
          label: t('callButtons.origins'),
          value: ({ origins }) => origins.join(' '),
          render: ({ origins }) => origins.join(', '),
        },
      ]}
      actions={(button) => (
        <span className="call-button-actions">
          <CallThis to={button.to} name={nameOf(button)} />
          <Button
            aria-label={t('callButtons.script.of', { name: nameOf(button) })}
            onClick={() => onShow(button)}
          >
            {t('callButtons.script')}
          </Button>
          <Button
            aria-label={t('callButtons.edit.of', { name: nameOf(button) })}
            onClick={() => onEdit(button)}
          >
            {t('callButtons.edit')}
          </Button>
          <Button
            aria-label={t('callButtons.revoke.of', { name: nameOf(button) })}
            onClick={() => void revoke(button)}
          >
            {t('callButtons.revoke')}
          </Button>
        </span>
      )}
    />
  );
}
