import { Badge, type Tone } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { csvFile } from '../../kit/csv.ts';
import { saveFile } from '../../kit/save-file.ts';
import { Notice } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { LinkButton } from '../records/record-list.tsx';
import { COLUMNS, type Sheet } from './agents-import.ts';
import { AGAIN, passwordsCsv, type RowResult } from './import-run.ts';

interface ImportResultsProps {
  readonly results: readonly RowResult[];
  readonly onTaken: () => void;
  readonly onFix: (sheet: Sheet) => void;
}

const TONES: Readonly<Record<RowResult['outcome'], Tone>> = {
  created: 'good',
  repeated: 'neutral',
  failed: 'bad',
  stopped: 'warn',
};

export function ImportResults({ results, onTaken, onFix }: ImportResultsProps) {
  const { t } = useWords();
  const count = (outcome: RowResult['outcome']) =>
    results.filter((result) => result.outcome === outcome).length;
  const failed = results.filter(({ outcome }) => AGAIN.includes(outcome));
  const message = ({ faults }: RowResult) => faults.map((fault) => fault.message).join(' ');
  const save = (): void => {
    saveFile(csvFile(passwordsCsv(results)), 'sip-passwords.csv');
    onTaken();
  };
  return (
    <>
      <div role="status" className="import-summary">
        <Notice tone="good">{t('import.done', { count: count('created') })}</Notice>
        {count('failed') > 0 && <Notice tone="bad">{t('import.failed', { count: count('failed') })}</Notice>}
        {count('created') > 0 && <Notice tone="warn">{t('import.passwords.hint')}</Notice>}
      </div>
      <div className="import-bar">
        {count('created') > 0 && (
          <Button kind="primary" icon="download" onClick={save}>
            {t('import.passwords')}
          </Button>
        )}
        {failed.length > 0 && (
          <Button
            onClick={() => onFix({ rows: failed.map(({ row }) => row), columns: [...COLUMNS], ignored: [] })}
          >
            {t('import.fix')}
          </Button>
        )}
        <LinkButton to="/agents" label={t('import.toList')} />
      </div>
      <Table
        label={t('import.title')}
        rows={results}
        rowKey={({ row }) => `${row.line} ${row.key}`}
        columns={[
          { key: 'line', label: t('import.line'), value: ({ row }) => row.line, number: true },
          {
            key: 'name',
            label: t('records.name'),
            value: ({ row }) => row.body.name,
            render: ({ row, agent }) =>
              agent ? <Link to={pathTo('agents', agent.eid)}>{row.body.name}</Link> : row.body.name,
          },
          { key: 'eid', label: t('agents.eid'), value: ({ agent, row }) => agent?.eid ?? row.body.eid },
          {
            key: 'intercom',
            label: t('agents.intercom'),
            value: ({ agent, row }) => agent?.intercom ?? row.body.intercom,
          },
          {
            key: 'outcome',
            label: t('import.state'),
            value: (result) => `${t(`import.state.${result.outcome}`)} ${message(result)}`,
            render: (result) => (
              <>
                <Badge tone={TONES[result.outcome]}>{t(`import.state.${result.outcome}`)}</Badge>
                {result.faults.length > 0 && <p className="field-fault">{message(result)}</p>}
              </>
            ),
          },
        ]}
      />
    </>
  );
}
