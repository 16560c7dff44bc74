// The built-in prompts in a language that is not shipped, made from texts: typed or imported, heard, kept.
import { useMemo, useState } from 'react';
import type { BuiltInPrompts } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useMay, useMayChange } from '../../data/may.ts';
import { changed, useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { csvFile, csvText, readCsvFile } from '../../kit/csv.ts';
import { useLeaveGuard } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { Field, NumberField, SelectField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useAttempt, useToast } from '../../kit/toast.tsx';
import { go, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { runBulk } from '../bulk/run-bulk.ts';
import { usePreview } from '../editor/use-preview.ts';
import { useVoices } from '../editor/voices.ts';
import { Section } from '../records/record-page.tsx';
import '../records/records.css';
import { menuPromptId } from './built-in.ts';
import { LanguageField } from './language-field.tsx';
import { languageName } from './language-name.ts';
import { PromptItem } from './prompt-item.tsx';
import { type PromptRow, rowsOf, sheetOf, type Texts, textOf, textsIn, unspoken } from './prompt-rows.ts';

const GROUPS = ['calls', 'menus'] as const;
const USUAL_SPEED = 160;
/** The service speaks no more at once for an account. */
const AT_ONCE = 2;

export function Page() {
  const { t, hinted } = useWords();
  const asked = useRoute().query.get('language');
  const settings = useAsk((signal) => client.getSettings({ signal }), []);
  const used = settings.value?.language ?? null;
  const language = asked ?? used;
  const answer = useAsk(
    async (signal) => (language === null ? null : client.getPrompts({ query: { language }, signal })),
    [language],
  );
  const error = settings.error ?? answer.error;
  return (
    <Frame title={t('prompts.title')} intro={t('prompts.intro')}>
      <LanguageField
        {...hinted('prompts.language')}
        value={language ?? ''}
        onChange={(chosen) => go(`/prompts?language=${encodeURIComponent(chosen)}`)}
      />
      {error !== null && <Failure error={error} onAgain={settings.error ? settings.again : answer.again} />}
      {error === null && answer.value?.language !== language && <Loading />}
      {answer.value && answer.value.language === language && (
        <Language
          key={language}
          prompts={answer.value}
          isUsed={used === language}
          onSpoken={answer.again}
          onUsed={settings.again}
        />
      )}
    </Frame>
  );
}

interface LanguageProps {
  readonly prompts: BuiltInPrompts;
  readonly isUsed: boolean;
  readonly onSpoken: () => void;
  readonly onUsed: () => void;
}

function Language({ prompts, isUsed, onSpoken, onUsed }: LanguageProps) {
  const { t } = useWords();
  const { language, shipped } = prompts;
  const attempt = useAttempt();
  const [mayEdit, maySet] = [useMayChange('recording'), useMay()('patchSettings')];
  const { items: recordings } = useRecords('recording');
  const rows = useMemo(
    () => rowsOf(prompts, recordings, (which) => menuPromptId(language, which)),
    [prompts, recordings, language],
  );
  const [typed, setTyped] = useState<Texts>({});
  const [speech, setSpeech] = useState({ voice: language.toLowerCase(), speed: USUAL_SPEED });
  const speaking = useSpeaking({ language, speech, typed, onSpoken });
  const preview = usePreview();
  const waiting = unspoken(rows, typed);
  useLeaveGuard(waiting.length > 0);
  const spoken = rows.filter(({ version }) => version !== null).length;
  const use = () =>
    attempt(async () => {
      await client.patchSettings({ body: { language } });
      onUsed();
    });
  const edit = mayEdit
    ? {
        onText: ({ name }: PromptRow, text: string) => setTyped((now) => ({ ...now, [name]: text })),
        onListen: (row: PromptRow, text: string) => speaking.listen(row, () => preview({ ...speech, text })),
        onKeep: (row: PromptRow) => void speaking.keep([row]),
        onRemove: (row: PromptRow) =>
          void attempt(async () => {
            await client.deleteRecording({ params: { id: row.id } });
            setTyped((now) => ({ ...now, [row.name]: textOf(row, now) }));
            changed('recording');
            onSpoken();
          }),
      }
    : null;
  return (
    <>
      <Notice tone={shipped || spoken === rows.length ? 'good' : 'info'}>
        <p role="status">
          {shipped ? t('prompts.shipped') : t('prompts.spoken', { done: spoken, count: rows.length })}
        </p>
        {isUsed ? (
          <p>{t('prompts.used')}</p>
        ) : (
          maySet && <Button onClick={() => void use()}>{t('prompts.use')}</Button>
        )}
      </Notice>
      {mayEdit && (
        <Section>
          <Voice speech={speech} onChange={setSpeech} />
          <TextFile rows={rows} typed={typed} onTexts={(more) => setTyped((now) => ({ ...now, ...more }))} />
          {waiting.length > 0 && (
            <div>
              <Button
                kind="primary"
                busy={speaking.running !== null}
                onClick={() => void speaking.keep(waiting)}
              >
                {speaking.running === null
                  ? t('prompts.keepAll', { count: waiting.length })
                  : t('bulk.running', speaking.running)}
              </Button>
            </div>
          )}
        </Section>
      )}
      {GROUPS.map((group) => (
        <Section key={group} title={t(`prompts.group.${group}`)}>
          <ul className="records-list">
            {rows
              .filter((row) => row.group === group)
              .map((row) => (
                <PromptItem
                  key={row.name}
                  {...{ row, edit }}
                  text={textOf(row, typed)}
                  fault={speaking.faults.get(row.name)}
                  isShipped={shipped}
                  busy={speaking.running !== null}
                />
              ))}
          </ul>
        </Section>
      ))}
    </>
  );
}

interface SpeakingProps {
  readonly language: string;
  readonly speech: { readonly voice: string; readonly speed: number };
  readonly typed: Texts;
  readonly onSpoken: () => void;
}

/** Speaks texts and keeps them as recordings; what is refused says so at its row. */
function useSpeaking({ language, speech, typed, onSpoken }: SpeakingProps) {
  const { t, language: shownIn } = useWords();
  const toast = useToast();
  const [running, setRunning] = useState<{ readonly done: number; readonly count: number } | null>(null);
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const keepOne = async (row: PromptRow): Promise<unknown> => {
    const body = { ...speech, text: textOf(row, typed).trim() };
    if (row.version !== null) return client.patchRecording({ params: { id: row.id }, body });
    const name = t('prompts.recording', { language: languageName(language, shownIn), name: row.name });
    return client.createRecording({
      body: { ...body, id: row.id, name, description: row.english },
      idempotencyKey: crypto.randomUUID(),
    });
  };
  const keep = async (rows: readonly PromptRow[]): Promise<void> => {
    const byName = new Map(rows.map((row) => [row.name, row]));
    setRunning({ done: 0, count: rows.length });
    const results = await runBulk(
      rows.map(({ name }) => ({ id: name, name })),
      async (name) => {
        const row = byName.get(name);
        if (row) await keepOne(row);
      },
      (done) => setRunning({ done, count: rows.length }),
      AT_ONCE,
    );
    setRunning(null);
    const failed = results.filter(({ error }) => error !== null);
    setFaults(new Map(failed.map(({ item, error }) => [item.id, sentenceOf(error, t)])));
    changed('recording');
    onSpoken();
    if (failed.length > 0) toast(t('prompts.failed', { count: failed.length }), 'bad');
    else toast(t('prompts.kept', { count: results.length }));
  };
  const listen = async ({ name }: PromptRow, speak: () => Promise<string>): Promise<string | null> => {
    try {
      const url = await speak();
      setFaults((now) => new Map([...now].filter(([one]) => one !== name)));
      return url;
    } catch (error) {
      setFaults((now) => new Map([...now, [name, sentenceOf(error, t)]]));
      return null;
    }
  };
  return { running, faults, keep, listen };
}

type Spoken = SpeakingProps['speech'];

function Voice({
  speech,
  onChange,
}: {
  readonly speech: Spoken;
  readonly onChange: (speech: Spoken) => void;
}) {
  const { t } = useWords();
  const voices = useVoices(speech.voice);
  return (
    <div className="records-columns">
      <SelectField
        label={t('editor.text.voice')}
        value={speech.voice}
        options={voices}
        onChange={(voice) => onChange({ ...speech, voice })}
      />
      <NumberField
        label={t('editor.text.speed')}
        min={80}
        max={450}
        step={10}
        value={speech.speed}
        onChange={(speed) => onChange({ ...speech, speed: speed ?? USUAL_SPEED })}
      />
    </div>
  );
}

interface TextFileProps {
  readonly rows: readonly PromptRow[];
  readonly typed: Texts;
  readonly onTexts: (texts: Texts) => void;
}

/** The texts as a file, out and in. */
function TextFile({ rows, typed, onTexts }: TextFileProps) {
  const { t, hinted } = useWords();
  const toast = useToast();
  const [isUseless, setUseless] = useState(false);
  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const texts = textsIn(readCsvFile(new Uint8Array(await file.arrayBuffer())), rows);
    const count = Object.keys(texts).length;
    setUseless(count === 0);
    if (count === 0) return;
    onTexts(texts);
    toast(t('prompts.imported', { count }));
  };
  return (
    <>
      <Field {...hinted('prompts.import')} fault={isUseless ? t('prompts.importFailed') : undefined}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onClick={({ currentTarget }) => {
              currentTarget.value = '';
            }}
            onChange={({ target }) => void read(target.files?.[0])}
          />
        )}
      </Field>
      <div>
        <Button
          icon="download"
          onClick={() => saveFile(csvFile(csvText(sheetOf(rows, typed))), 'prompts.csv')}
        >
          {t('prompts.export')}
        </Button>
      </div>
    </>
  );
}
