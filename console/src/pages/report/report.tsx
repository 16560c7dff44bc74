// The report by mail: what it says of the last day or week, and sending it to oneself to see it.
import { type FormEvent, useState } from 'react';
import type { Operations } from '../../../../client/operations.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { useMay } from '../../data/may.ts';
import { Button } from '../../kit/button.tsx';
import { useRequest } from '../../kit/faults.ts';
import { SelectField, TextField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import './report.css';

const PERIODS = ['day', 'week'] as const;
type Period = (typeof PERIODS)[number];
type Report = Operations['getReport']['answer'];

export function Page() {
  const { t } = useWords();
  const may = useMay();
  const [period, setPeriod] = useState<Period>('day');
  const { value, error, again } = useAsk(
    (signal) => client.getReport({ query: { period }, signal }),
    [period],
  );
  return (
    <Frame title={t('report.title')} intro={t('report.intro')}>
      <div className="report-choice">
        <SelectField
          label={t('report.period')}
          value={period}
          onChange={setPeriod}
          options={PERIODS.map((each) => ({ value: each, label: t(`report.period.${each}`) }))}
        />
        {may('sendReport') && <Send period={period} />}
      </div>
      {may('patchSettings') && (
        <p className="report-note">
          <Link to="/settings">{t('report.recipients')}</Link>
        </p>
      )}
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && <Preview report={value} />}
    </Frame>
  );
}

function Send({ period }: { readonly period: Period }) {
  const { t } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [to, setTo] = useState('');
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await send(async () => {
      await client.sendReport({ body: { period, to: to.trim() } });
      toast(t('report.sent', { to: to.trim() }));
    });
  };
  return (
    <form className="report-send" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        type="email"
        label={t('report.to')}
        value={to}
        onChange={setTo}
        fault={faults.at('/to')}
        autoComplete="email"
      />
      <Button type="submit" busy={busy} disabled={to.trim() === ''}>
        {t('report.send')}
      </Button>
      {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
    </form>
  );
}

function Preview({ report }: { readonly report: Report }) {
  const { t } = useWords();
  return (
    <article className="card report-mail" aria-label={t('report.preview')}>
      <h2>{report.subject}</h2>
      <p className="report-note">{t('report.zone', { zone: report.timezone })}</p>
      {report.sections.map(({ title, columns, rows, left_off }) => (
        <div key={title} className="report-part">
          <h3>{title}</h3>
          {rows.length === 0 ? (
            <p className="report-note">{t('report.none')}</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has nothing else to focus
            <section className="report-scroll" tabIndex={0} aria-label={title}>
              <table>
                <thead>
                  <tr>
                    {columns.map((column) => (
                      <th key={column} scope="col">
                        {column}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([name = '', ...values]) => (
                    <tr key={name}>
                      <th scope="row">{name}</th>
                      {values.map((value, index) => (
                        <td key={columns[index + 1]}>{value}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
          {left_off > 0 && <p className="report-note">{t('report.leftOff', { count: left_off })}</p>}
        </div>
      ))}
    </article>
  );
}
