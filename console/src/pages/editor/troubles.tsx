// The dialogs after a save that was refused: a conflict of versions, or tests that fail.
import type { Ivr } from '../../../../client/operations.ts';
import { useNamesInTexts } from '../../data/names.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { useWords } from '../../words/words.tsx';
import { withNames } from '../simulator/names.ts';
import { differencesOf } from './difference.ts';
import { Differences } from './differences.tsx';
import { draftOf } from './draft.ts';
import type { Editor } from './use-editor.ts';
import type { Saving, Trouble } from './use-saving.ts';

interface TroublesProps {
  readonly editor: Editor;
  readonly saving: Saving;
}

export function Troubles({ editor, saving }: TroublesProps) {
  const { trouble } = saving;
  if (trouble?.is === 'conflict') return <Conflict editor={editor} saving={saving} theirs={trouble.theirs} />;
  return trouble?.is === 'tests' ? <FailedTests saving={saving} trouble={trouble} /> : null;
}

function Conflict({ editor, saving, theirs }: TroublesProps & { readonly theirs: Ivr }) {
  const { t } = useWords();
  const base = editor.stored ? draftOf(editor.stored) : editor.draft;
  return (
    <Dialog
      title={t('editor.conflict.title')}
      open
      wide
      onClose={saving.dismiss}
      footer={
        <>
          <Button onClick={saving.dismiss}>{t('editor.conflict.later')}</Button>
          <Button
            onClick={() => {
              editor.adopt(theirs);
              saving.dismiss();
            }}
          >
            {t('editor.conflict.theirs')}
          </Button>
          <Button
            kind="primary"
            busy={saving.busy}
            onClick={() => void saving.save({ over: theirs.version })}
          >
            {t('editor.conflict.mine')}
          </Button>
        </>
      }
    >
      <p>{t('editor.conflict.text')}</p>
      <div className="editor-two">
        <section>
          <h3>{t('editor.conflict.they')}</h3>
          <Differences label={t('editor.conflict.they')} differences={differencesOf(base, draftOf(theirs))} />
        </section>
        <section>
          <h3>{t('editor.conflict.you')}</h3>
          <Differences label={t('editor.conflict.you')} differences={differencesOf(base, editor.draft)} />
        </section>
      </div>
    </Dialog>
  );
}

interface FailedTestsProps {
  readonly saving: Saving;
  readonly trouble: Extract<Trouble, { is: 'tests' }>;
}

function FailedTests({ saving, trouble: { failed, message } }: FailedTestsProps) {
  const { t } = useWords();
  const names = useNamesInTexts();
  return (
    <Dialog
      title={t('editor.tests.title')}
      open
      onClose={saving.dismiss}
      footer={
        <>
          <Button kind="primary" onClick={saving.dismiss}>
            {t('editor.tests.back')}
          </Button>
          <Button kind="danger" busy={saving.busy} onClick={() => void saving.save({ skipTests: true })}>
            {t('editor.tests.save')}
          </Button>
        </>
      }
    >
      <p>{t('editor.tests.text')}</p>
      {failed.length === 0 ? (
        <p>{withNames(message, names)}</p>
      ) : (
        <ul className="editor-failed">
          {failed.map(({ name, differences }) => (
            <li key={name}>
              <strong>{name}</strong>
              {differences.map((difference) => (
                <p key={difference}>{withNames(difference, names)}</p>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
