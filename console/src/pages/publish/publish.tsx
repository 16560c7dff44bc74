// Draft and publish: what waits, what is wrong with it, and what was published before.
import { type FormEvent, useState } from 'react';
import type { DraftCheck, Publication } from '../../../../client/operations.ts';
import { readDraft } from '../../data/account-draft.ts';
import { useAsk } from '../../data/ask.ts';
import { client, DialtreeError } from '../../data/client.ts';
import { useMay } from '../../data/may.ts';
import { useNamesInTexts } from '../../data/names.ts';
import { renewAll } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { useConfirm } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { TextField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { Link } from '../../router.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';
import { withNames } from '../simulator/names.ts';
import { type Change, ChangeItem } from './change-item.tsx';
import { Checks } from './checks.tsx';
import { Publications } from './publications.tsx';
import './publish.css';

const HISTORY = 50;

/** One request for all that the page shows. */
async function readAll(signal: AbortSignal) {
  const [settings, draft, publications] = await Promise.all([
    client.getSettings({ signal }),
    readDraft(signal),
    client.listPublications({ query: { limit: HISTORY }, signal }),
  ]);
  const check = draft.length > 0 ? await client.checkDraft({ signal }) : null;
  return { isOn: settings.require_publish, changes: draft, publications: publications.data, check };
}

export function Page() {
  const { t } = useWords();
  const { value, error, again } = useAsk(readAll, []);
  const attempt = useAttempt();
  const toast = useToast();
  const may = useMay();
  const mayPublish = may('publishDraft');
  const [busy, setBusy] = useState(false);
  const doing = async (work: () => Promise<unknown>, said: string): Promise<void> => {
    setBusy(true);
    if (await attempt(work)) toast(said);
    setBusy(false);
    // Refused or not: what others did meanwhile is shown, too.
    renewAll();
    again();
  };
  const turn = (on: boolean): Promise<void> =>
    doing(
      () => client.patchSettings({ body: { require_publish: on } }),
      t(on ? 'publish.turnedOn' : 'publish.turnedOff'),
    );
  const discardOne = ({ kind, id }: Change): Promise<void> =>
    doing(() => client.discardDrafted({ params: { kind, id } }), t('publish.discarded'));
  const rollBack = ({ id, reason }: Publication): Promise<void> =>
    doing(
      () =>
        client.rollBack({
          params: { id },
          body: { reason: t('publish.rollBack.reason', { reason }).slice(0, 500) },
        }),
      t('publish.rolledBack.done'),
    );
  if (!value)
    return (
      <Frame title={t('publish.title')}>
        {error === null ? <Loading /> : <Failure error={error} onAgain={again} />}
      </Frame>
    );
  const { isOn, changes, publications, check } = value;
  return (
    <Frame
      title={t('publish.title')}
      intro={t(isOn ? 'publish.intro.on' : 'publish.intro.off')}
      actions={
        may('patchSettings') && (
          <Button disabled={busy || (isOn && changes.length > 0)} onClick={() => void turn(!isOn)}>
            {t(isOn ? 'publish.turnOff' : 'publish.turnOn')}
          </Button>
        )
      }
    >
      <div className="publish">
        {changes.length === 0 ? (
          isOn && <Empty icon="check" title={t('publish.empty.title')} text={t('publish.empty.text')} />
        ) : (
          <>
            <Section
              title={t('publish.changes', { count: changes.length })}
              actions={
                <>
                  <Link className="button button-plain" to="/map?show=draft">
                    {t('publish.onMap')}
                  </Link>
                  {mayPublish && (
                    <DiscardAll
                      busy={busy}
                      onDiscard={() => doing(() => client.discardDraft(), t('publish.discarded'))}
                    />
                  )}
                </>
              }
            >
              <ul className="publish-changes">
                {changes.map((change) => (
                  <ChangeItem
                    key={`${change.kind} ${change.id}`}
                    change={change}
                    onDiscard={mayPublish ? () => void discardOne(change) : null}
                  />
                ))}
              </ul>
            </Section>
            {check && (
              <Section title={t('publish.checks')}>
                <Checks check={check} />
              </Section>
            )}
            {mayPublish && (
              <PublishForm
                check={check}
                onDone={() => {
                  renewAll();
                  again();
                }}
              />
            )}
          </>
        )}
        <Section title={t('publish.history')}>
          <Publications
            publications={publications}
            busy={busy || !mayPublish}
            onRollBack={(one) => void rollBack(one)}
          />
        </Section>
      </div>
    </Frame>
  );
}

function DiscardAll({
  busy,
  onDiscard,
}: {
  readonly busy: boolean;
  readonly onDiscard: () => Promise<void>;
}) {
  const { t } = useWords();
  const confirm = useConfirm();
  const ask = async (): Promise<void> => {
    const question = { title: t('publish.discard.title'), text: t('publish.discard.text') };
    if (await confirm({ ...question, action: t('publish.discard'), danger: true })) await onDiscard();
  };
  return (
    <Button disabled={busy} onClick={() => void ask()}>
      {t('publish.discard')}
    </Button>
  );
}

const MOST_NAMED = 3;

/** “Main menu: 1 reaches Asha.” of each. */
function failedTests(check: DraftCheck | null, t: Words['t']): string {
  const failed = check?.tests.filter((test) => !test.passed && !test.failed_before) ?? [];
  const named = failed.slice(0, MOST_NAMED).map(({ menu_name: menu, name }) => `${menu}: ${name}.`);
  const count = failed.length - named.length;
  return [...named, ...(count > 0 ? [t('publish.tests.more', { count })] : [])].join(' ');
}

interface Sent {
  readonly skip_tests?: 'true';
  readonly force?: 'true';
}

/** What is sent to publish it all the same, by the code of the refusal. */
const ANYWAY: { readonly [code: string]: Sent } = {
  tests_failed: { skip_tests: 'true' },
  fields_invalid: { force: 'true' },
};

/** Tests that fail, and what is missing, are the user's to decide about. */
function PublishForm({ check, onDone }: { readonly check: DraftCheck | null; readonly onDone: () => void }) {
  const { t } = useWords();
  const toast = useToast();
  const confirm = useConfirm();
  const names = useNamesInTexts();
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const send = (query: Sent): Promise<unknown> =>
    client.publishDraft({ body: { reason: reason.trim() }, query });
  /** What is refused for one reason may be refused for another one, too: each is asked about. */
  const publish = async (query: Sent = {}): Promise<void> => {
    try {
      await send(query);
    } catch (cause) {
      const more = cause instanceof DialtreeError ? ANYWAY[cause.code] : undefined;
      if (!more || Object.keys(more).some((name) => name in query)) throw cause;
      // As the checks above say it, in the user's language: the API's sentence lists the same tests.
      const isTests = 'skip_tests' in more;
      const text = isTests ? failedTests(check, t) : withNames(sentenceOf(cause, t), names);
      const title = t(isTests ? 'publish.testsFail' : 'publish.missing');
      if (!(await confirm({ title, text, action: t('publish.allTheSame'), danger: true }))) return;
      await publish({ ...query, ...more });
      return;
    }
    toast(t('publish.done'));
    onDone();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (reason.trim() === '') return setFault(t('publish.reason.missing'));
    setFault(undefined);
    setBusy(true);
    try {
      await publish();
    } catch (cause) {
      toast(withNames(sentenceOf(cause, t), names), 'bad');
      onDone();
    } finally {
      setBusy(false);
    }
  };
  return (
    <form noValidate className="publish-form" onSubmit={(event) => void submit(event)}>
      <TextField
        label={t('publish.reason')}
        hint={t('publish.reason.hint')}
        value={reason}
        onChange={setReason}
        fault={fault}
        maxLength={500}
        required
      />
      <Button kind="primary" type="submit" busy={busy}>
        {t('publish.publish')}
      </Button>
    </form>
  );
}
