// Step 2: a menu whose key rings the agent.
import { type FormEvent, useId, useState } from 'react';
import { client } from '../../data/client.ts';
import { changed, useRecords } from '../../data/records.ts';
import { useSession } from '../../data/session.tsx';
import { Button } from '../../kit/button.tsx';
import { type Faults, useRequest } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { Player } from '../../kit/player.tsx';
import { Notice } from '../../kit/states.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { MakeRecording } from '../editor/make-recording.tsx';
import { createMenu } from '../editor/sending.ts';
import { SOUNDS, storeBuiltIn } from './built-in.ts';
import { BUILT_INS, keyFor, menuBody } from './menu-plan.ts';
import { useOnce } from './once.ts';
import type { GuideAgent, GuideMenu } from './progress.ts';

interface MenuStepProps {
  readonly agent: GuideAgent | null;
  readonly menu: GuideMenu | null;
  readonly onMenu: (id: string) => void;
  readonly onContinue: () => void;
}

export function MenuStep({ agent, menu, onMenu, onContinue }: MenuStepProps) {
  const { t } = useWords();
  const [adding, setAdding] = useState(false);
  if (!agent) return <p>{t('guide.menu.introAlone')}</p>;
  if (!menu || adding)
    return (
      <NewMenu
        agent={agent}
        onCancel={menu ? () => setAdding(false) : null}
        onCreated={(id) => {
          setAdding(false);
          onMenu(id);
        }}
      />
    );
  const { keys, leads } = keyFor(menu.option, menu.destination, agent.eid);
  return (
    <>
      <p>
        {leads
          ? t('guide.menu.summary', { menu: menu.name, keys, agent: agent.name })
          : t('guide.menu.away', { menu: menu.name, agent: agent.name })}{' '}
        <Link to={pathTo('menus', menu.id)}>{t('guide.menu.edit')}</Link>
      </p>
      {!leads && keys !== '' && <Join menu={menu} agent={agent} keys={keys} />}
      <div className="form-actions">
        <Button kind="primary" onClick={onContinue}>
          {t('guide.continue')}
        </Button>
        <Button onClick={() => setAdding(true)}>{t('guide.menu.other')}</Button>
      </div>
    </>
  );
}

interface JoinProps {
  readonly menu: GuideMenu;
  readonly agent: GuideAgent;
  readonly keys: string;
}

/** Adds a key to an existing menu; the rest stays. */
function Join({ menu, agent, keys }: JoinProps) {
  const { t } = useWords();
  const { faults, busy, send } = useRequest();
  const join = () =>
    send(async () => {
      const { id, version, created_at, updated_at, warnings, ...stored } = await client.getIvr({
        params: { id: menu.id },
      });
      await client.putIvr({
        params: { id },
        ifMatch: `"${version}"`,
        body: {
          ...stored,
          option: [...stored.option, keys],
          destination: [...stored.destination, `extension||${agent.eid}`],
        } as Parameters<typeof client.putIvr>[0]['body'],
      });
      changed('ivr');
    });
  return (
    <div className="form">
      <div>
        <Button icon="add" busy={busy} onClick={() => void join()}>
          {t('guide.menu.join', { keys, agent: agent.name })}
        </Button>
      </div>
      <Trouble faults={faults} />
    </div>
  );
}

function Trouble({ faults }: { readonly faults: Faults }) {
  const text = faults.general ?? faults.at('');
  return text ? <Notice tone="bad">{text}</Notice> : null;
}

type Prompt = 'built' | 'own' | 'stored';
const PROMPTS: readonly Prompt[] = ['built', 'own', 'stored'];

interface NewMenuProps {
  readonly agent: GuideAgent;
  readonly onCreated: (id: string) => void;
  readonly onCancel: (() => void) | null;
}

function NewMenu({ agent, onCreated, onCancel }: NewMenuProps) {
  const { t } = useWords();
  const { account } = useSession();
  const { faults, busy, send } = useRequest();
  const { items: recordings } = useRecords('recording');
  const [name, setName] = useState(() => t('guide.menu.name.default'));
  const [prompt, setPrompt] = useState<Prompt>('built');
  const [chosen, setChosen] = useState('');
  const [missing, setMissing] = useState(false);
  const idempotencyKey = useOnce([name, prompt, chosen, agent.eid].join(' '));
  const stored = recordings.map((one) => ({ id: String(one.id), name: one.name }));
  const create = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const lacks = prompt !== 'built' && chosen === '';
    setMissing(lacks);
    if (lacks) return;
    await send(async () => {
      const sounds =
        prompt === 'built'
          ? { kind: 'built' as const, ids: await storeBuiltIn(BUILT_INS, stored) }
          : { kind: 'own' as const, prompt: chosen, ...(await storeBuiltIn(['connecting'], stored)) };
      const body = menuBody({ name: name.trim(), eid: agent.eid, sounds });
      const { id } = await createMenu(account?.id ?? '', { body, idempotencyKey });
      changed('ivr');
      onCreated(id);
    });
  };
  return (
    <div className="form">
      <p>{t('guide.menu.intro', { agent: agent.name })}</p>
      <TextField
        label={t('guide.menu.name')}
        value={name}
        onChange={setName}
        maxLength={100}
        fault={faults.at('/name')}
      />
      <PromptChoice prompt={prompt} onPrompt={setPrompt} agent={agent} hasStored={stored.length > 0} />
      {prompt === 'built' && <Player src={SOUNDS.welcome} label={t('guide.menu.prompt.built')} />}
      {prompt === 'own' && <OwnRecording chosen={chosen} stored={stored} onChosen={setChosen} />}
      {prompt === 'stored' && (
        <Picker
          label={t('guide.menu.prompt.choose')}
          value={chosen}
          onChange={setChosen}
          options={stored.map(({ id, name: label }) => ({ value: id, label }))}
        />
      )}
      {missing && chosen === '' && <Notice tone="bad">{t('guide.menu.prompt.missing')}</Notice>}
      <Trouble faults={faults} />
      {/* Not inside the outer form: MakeRecording has its own. */}
      <form className="form-actions" onSubmit={(event) => void create(event)}>
        <Button kind="primary" type="submit" busy={busy}>
          {t('guide.menu.create')}
        </Button>
        {onCancel && <Button onClick={onCancel}>{t('kit.cancel')}</Button>}
        {busy && <span role="status">{t('guide.menu.busy')}</span>}
      </form>
    </div>
  );
}

interface PromptChoiceProps {
  readonly prompt: Prompt;
  readonly onPrompt: (prompt: Prompt) => void;
  readonly agent: GuideAgent;
  readonly hasStored: boolean;
}

function PromptChoice({ prompt, onPrompt, agent, hasStored }: PromptChoiceProps) {
  const { t } = useWords();
  const group = useId();
  return (
    <fieldset className="choices guide-prompts">
      <legend className="field-label">{t('guide.menu.prompt')}</legend>
      {PROMPTS.filter((one) => one !== 'stored' || hasStored).map((one) => (
        <label key={one}>
          <input type="radio" name={group} checked={prompt === one} onChange={() => onPrompt(one)} />
          <span>
            {t(`guide.menu.prompt.${one}`)}
            {one === 'built' && (
              <small className="field-hint">{t('guide.menu.prompt.built.hint', { agent: agent.name })}</small>
            )}
            {one === 'own' && <small className="field-hint">{t('guide.menu.prompt.own.hint')}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface OwnRecordingProps {
  readonly chosen: string;
  readonly stored: readonly { readonly id: string; readonly name: string }[];
  readonly onChosen: (id: string) => void;
}

function OwnRecording({ chosen, stored, onChosen }: OwnRecordingProps) {
  const { t } = useWords();
  if (chosen === '') return <MakeRecording onMade={onChosen} />;
  const name = stored.find(({ id }) => id === chosen)?.name ?? chosen;
  return <Notice tone="good">{t('guide.menu.prompt.taken', { name })}</Notice>;
}
