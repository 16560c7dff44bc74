// The statistics as files: a workbook with all tables, or one table as CSV.
import { useState } from 'react';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { saveFile } from '../../kit/save-file.ts';
import { useAttempt } from '../../kit/toast.tsx';
import { useWords } from '../../words/words.tsx';
import { apiSpan, type Range } from './range.ts';

const TABLES = ['days', 'departments', 'agents'] as const;

export function Download({ range, zone }: { readonly range: Range; readonly zone: string }) {
  const { t } = useWords();
  const attempt = useAttempt();
  const [busy, setBusy] = useState(false);
  const query = { ...apiSpan(range, zone), by: 'day' as const };
  const save = async (ask: () => Promise<Response>, name: string): Promise<void> => {
    setBusy(true);
    await attempt(async () => saveFile(await (await ask()).blob(), name));
    setBusy(false);
  };
  const span = `${range.from}-${range.to}`;
  return (
    <div className="statistics-download">
      <Button
        icon="download"
        busy={busy}
        onClick={() => void save(() => client.exportStatisticsWorkbook({ query }), `statistics-${span}.xlsx`)}
      >
        {t('statistics.download.xlsx')}
      </Button>
      {TABLES.map((table) => (
        <Button
          key={table}
          kind="quiet"
          busy={busy}
          onClick={() =>
            void save(
              () => client.exportStatistics({ query: { ...query, table } }),
              `statistics-${table}-${span}.csv`,
            )
          }
        >
          {t(`statistics.download.${table}`)}
        </Button>
      ))}
    </div>
  );
}
