// The gaps and the linter's findings, each with a button that fixes it or focuses the field.
import type { Finding } from '../../../../src/flow/lint/finding.ts';
import { useNames } from '../../data/names.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { go, pathTo } from '../../router.tsx';
import { translated } from '../../words/translator.ts';
import { useWords } from '../../words/words.tsx';
import { gapsOf, type IvrDraft, promptGaps, withGreeting } from './draft.ts';
import { type Fix, fixesOf, indexOf } from './fixes.ts';
import type { Edit } from './use-editor.ts';

interface FindingsProps {
  readonly draft: IvrDraft;
  readonly findings: readonly Finding[];
  readonly edit: Edit;
  onLook(pointer: string): void;
}

export function Findings({ draft, findings, edit, onLook }: FindingsProps) {
  const { t } = useWords();
  const names = useNames();
  const gaps = gapsOf(draft);
  const act = (fix: Fix): void => {
    if (fix.does === 'change') {
      edit(fix.change);
      onLook(fix.pointer);
    } else if (fix.does === 'look') onLook(fix.pointer);
    else if (fix.does === 'page') go(fix.to);
    else go(pageOf(fix.reference, names(fix.reference).to));
  };
  const canRepeat = promptGaps(draft).length > 0;
  if (gaps.length === 0 && findings.length === 0 && !canRepeat) return null;
  return (
    <section className="editor-findings" aria-label={t('editor.findings')}>
      {(gaps.length > 0 || canRepeat) && (
        <div className="editor-gaps">
          {gaps.length > 0 && <span>{t('editor.gaps', { count: gaps.length })}</span>}
          {gaps.map((pointer) => (
            <button key={pointer} type="button" className="editor-gap" onClick={() => onLook(pointer)}>
              <GapName pointer={pointer} draft={draft} />
            </button>
          ))}
          {canRepeat && (
            <Button icon="check" onClick={() => edit(withGreeting)}>
              {t('editor.gaps.greeting')}
            </Button>
          )}
        </div>
      )}
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <li key={`${finding.code} ${finding.pointer}`} className="editor-finding">
              <Badge tone={finding.severity === 'error' ? 'bad' : 'warn'}>
                {t(`editor.severity.${finding.severity}`)}
              </Badge>
              <p>{translated(finding.message)}</p>
              <div className="editor-row">
                {fixesOf(finding, draft).map((fix) => (
                  <Button
                    key={fix.word}
                    icon={fix.does === 'change' ? 'check' : 'arrow'}
                    onClick={() => act(fix)}
                  >
                    {t(fix.does === 'change' ? 'editor.fix' : 'editor.look', {
                      what: t(`editor.fix.${fix.word}`, fix.values),
                    })}
                  </Button>
                ))}
              </div>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** SMS templates are not destinations, so useNames() does not know their page. */
function pageOf(reference: string, known: string | null): string {
  const [kind, id = ''] = reference.split('||');
  return kind === 'sms_template' ? pathTo('sms', id) : (known ?? '/');
}

function GapName({ pointer, draft }: { readonly pointer: string; readonly draft: IvrDraft }) {
  const { t } = useWords();
  if (pointer.startsWith('/destination/')) {
    const keys = draft.options[indexOf(pointer)]?.keys ?? '';
    return t('editor.option.destination', { keys });
  }
  const field = pointer.slice(1) as 'name' | 'option';
  return t(`editor.field.${field}`);
}
