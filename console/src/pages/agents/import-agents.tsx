// Import of agents from a CSV file: choose, preview and edit, send, download the passwords.
import { useEffect, useMemo, useRef, useState } from 'react';
import { client, DialtreeError } from '../../data/client.ts';
import { changed, useRecords } from '../../data/records.ts';
import { Button } from '../../kit/button.tsx';
import { type CsvFault, type CsvResult, csvFile, csvText, readCsvFile } from '../../kit/csv.ts';
import { useLeaveGuard } from '../../kit/dialog.tsx';
import { sentenceOf } from '../../kit/faults.ts';
import { Field } from '../../kit/field.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Page } from '../../kit/page.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { asLeft, Link } from '../../router.tsx';
import { faultText } from '../../words/error-text.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { Section } from '../records/record-page.tsx';
import {
  type AgentBody,
  type Known,
  type Missing,
  missingOf,
  planOf,
  SAMPLE,
  type Sheet,
  sheetOf,
} from './agents-import.ts';
import { createGroups, type Groups, joinDepartments } from './import-groups.ts';
import { ImportPreview } from './import-preview.tsx';
import { ImportResults } from './import-results.tsx';
import { AGAIN, type RowResult, runImport, type ServerFault } from './import-run.ts';
import '../records/records.css';
import './import.css';

type FileFault = CsvFault | { readonly code: 'no-name'; readonly line: number };

export function faultsOf(error: unknown, t: Words['t']): readonly ServerFault[] {
  if (!(error instanceof DialtreeError) || error.errors.length === 0)
    return [{ pointer: '', message: sentenceOf(error, t) }];
  return error.errors.map(({ Pointer, Code, Message }) => ({
    pointer: Pointer,
    message: faultText({ code: Code, message: Message }, t),
  }));
}

const AGENT_REQUESTS = {
  create: (body: AgentBody, idempotencyKey: string) => client.createAgent({ body, idempotencyKey }),
  exists: (eid: string): Promise<boolean> =>
    client.getAgent({ params: { eid } }).then(
      () => true,
      () => false,
    ),
};

const NONE: Missing = { teams: [], departments: [] };

/** What each row becomes, and the teams and departments that the file names and the account lacks. */
function usePlan(sheet: Sheet | null, { agents, teams, departments }: Known, creates: boolean) {
  return useMemo(() => {
    const known = { agents, teams, departments: departments ?? [], creates };
    if (!sheet) return { plan: [], missing: NONE };
    return { plan: planOf(sheet, known), missing: missingOf(sheet, known) };
  }, [sheet, agents, teams, departments, creates]);
}

const withGroups = ({ agents, teams, departments = [] }: Known, groups: Groups): Known => ({
  agents,
  teams: [...teams, ...groups.teams],
  departments: [...departments, ...groups.departments],
});

export function ImportAgents() {
  const { t } = useWords();
  const agents = useRecords('agent');
  const teams = useRecords('team');
  const departments = useRecords('department');
  const known = { agents: agents.items, teams: teams.items, departments: departments.items };
  const [creates, setCreates] = useState(false);
  const toast = useToast();
  const [sheet, setSheet] = useState<Sheet | null>(null);
  const [fault, setFault] = useState<FileFault | null>(null);
  const [running, setRunning] = useState<{ done: number; count: number; stop: AbortController } | null>(null);
  const [results, setResults] = useState<readonly RowResult[]>([]);
  const [taken, setTaken] = useState(false);
  const { plan, missing } = usePlan(sheet, known, creates);
  const current = useRef<AbortController | null>(null);
  // Leaving the page loses the passwords, so it stops the import.
  useEffect(() => () => current.current?.abort(), []);
  const passwords = results.some(({ agent }) => agent?.sip_password !== undefined);
  useLeaveGuard(running !== null || (passwords && !taken) || (sheet !== null && results.length === 0));

  const read = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const result = await readFile(file);
    const made = 'rows' in result ? sheetOf(result.rows) : null;
    setFault('fault' in result ? result.fault : made === null ? { code: 'no-name', line: 1 } : null);
    setSheet(made);
  };
  const start = async (): Promise<void> => {
    if (!sheet) return;
    const groups = await createGroups(creates ? missing : NONE).catch((error: unknown) => {
      changed('team', 'department');
      toast(sentenceOf(error, t), 'bad');
      return null;
    });
    if (!groups) return;
    const rows = planOf(sheet, withGroups(known, groups)).filter(({ state }) => state === 'new');
    const stop = new AbortController();
    current.current = stop;
    setRunning({ done: 0, count: rows.length, stop });
    const made = await runImport(
      rows,
      {
        ...AGENT_REQUESTS,
        faultsOf: (error) => faultsOf(error, t),
        progress: (done) => setRunning({ done, count: rows.length, stop }),
      },
      stop.signal,
    );
    const refused = await joinDepartments(made);
    for (const { name, error } of refused)
      toast(t('import.departmentFailed', { name, message: sentenceOf(error, t) }), 'bad');
    changed('agent', 'team', 'department');
    setCreates(false);
    setRunning(null);
    setTaken(false);
    setResults((before) => [...before.filter(({ outcome }) => !AGAIN.includes(outcome)), ...made]);
    setSheet(null);
  };
  const lists = [agents, teams, departments];
  const ready = lists.every(({ state }) => state === 'ready');
  const failed = lists.find(({ state }) => state === 'failed');
  return (
    <Page
      title={t('import.title')}
      intro={
        <>
          {t('import.intro')}{' '}
          <Link to={asLeft('/agents')} className="back-link">
            <Icon name="back" /> {t('records.back')}
          </Link>
        </>
      }
    >
      {running && <Progress {...running} />}
      {!running && sheet === null && results.length === 0 && (
        <Choose onFile={(file) => void read(file)} fault={fault} />
      )}
      {!running && sheet !== null && !ready && !failed && <Loading />}
      {!running && sheet !== null && failed && <Failure error={failed.error} onAgain={failed.reload} />}
      {!running && sheet !== null && ready && (
        <ImportPreview
          sheet={sheet}
          plan={plan}
          missing={missing}
          creates={creates}
          onCreates={setCreates}
          onChange={setSheet}
          onStart={() => void start()}
          onCancel={() => setSheet(null)}
        />
      )}
      {!running && sheet === null && results.length > 0 && (
        <ImportResults results={results} onTaken={() => setTaken(true)} onFix={(rows) => setSheet(rows)} />
      )}
    </Page>
  );
}

async function readFile(file: File): Promise<CsvResult> {
  // A file that is far too large is not read.
  if (file.size > 8_000_000) return { fault: { code: 'too-large', line: 0 } };
  try {
    return readCsvFile(new Uint8Array(await file.arrayBuffer()));
  } catch {
    // Deleted or changed since it was chosen.
    return { fault: { code: 'unreadable', line: 0 } };
  }
}

function Choose({
  onFile,
  fault,
}: {
  readonly onFile: (file: File | undefined) => void;
  readonly fault: FileFault | null;
}) {
  const { t, hinted } = useWords();
  return (
    <Section hint={t('import.columns')}>
      <Field
        {...hinted('import.file')}
        fault={fault === null ? undefined : t(`import.fault.${fault.code}`, { line: fault.line })}
      >
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            // Allows choosing the same file again after it was edited.
            onClick={({ currentTarget }) => {
              currentTarget.value = '';
            }}
            onChange={({ target }) => onFile(target.files?.[0])}
          />
        )}
      </Field>
      <div>
        <Button icon="download" onClick={() => saveFile(csvFile(csvText(SAMPLE)), 'agents.csv')}>
          {t('import.sample')}
        </Button>
      </div>
    </Section>
  );
}

interface ProgressProps {
  readonly done: number;
  readonly count: number;
  readonly stop: AbortController;
}

function Progress({ done, count, stop }: ProgressProps) {
  const { t } = useWords();
  return (
    <Notice tone="info">
      <p role="status">{t('import.running', { done, count })}</p>
      <progress
        className="import-progress"
        value={done}
        max={count}
        aria-label={t('import.running', { done, count })}
      />
      <Button icon="stop" onClick={() => stop.abort()}>
        {t('import.stop')}
      </Button>
    </Notice>
  );
}
