// The simulator as a page of its own: `#/simulator?entry=ivr||main`, or `#/simulator?replay=<call record>`.

import { useMemo } from 'react';
import { useNames } from '../../data/names.ts';
import { useRecords } from '../../data/records.ts';
import { Page as Frame } from '../../kit/page.tsx';
import { Picker } from '../../kit/picker.tsx';
import { Empty, Failure, Loading } from '../../kit/states.tsx';
import { go, Link, useRoute } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { SimulatorPanel } from './simulator-panel.tsx';

const byNumber = (one: { readonly number: string }, other: { readonly number: string }): number =>
  one.number.localeCompare(other.number, 'en', { numeric: true });
const nothing = (): void => undefined;

export function Page() {
  const { t, hinted } = useWords();
  const { query } = useRoute();
  const numbers = useRecords('number');
  const menus = useRecords('ivr');
  const options = useMemo(
    () => [
      ...numbers.items.toSorted(byNumber).map(({ id, number, description }) => ({
        value: `number||${id}`,
        label: number,
        group: t('simulator.entry.numbers'),
        note: description,
      })),
      ...menus.items.map(({ id, name, description }) => ({
        value: `ivr||${id}`,
        label: name,
        group: t('simulator.entry.menus'),
        note: description,
      })),
    ],
    [numbers.items, menus.items, t],
  );
  const names = useNames();
  const failed = [numbers, menus].find(({ state }) => state === 'failed');
  const loading = [numbers, menus].some(({ state }) => state === 'loading');
  const replay = query.get('replay');
  const entry = query.get('entry') ?? options[0]?.value ?? '';
  return (
    <Frame title={t('simulator.title')} intro={t('simulator.intro')}>
      {failed && <Failure error={failed.error} onAgain={failed.reload} />}
      {!failed && loading && <Loading />}
      {!failed && !loading && options.length === 0 && replay === null && (
        <Empty
          icon="phone"
          title={t('simulator.nothing.title')}
          text={t('simulator.nothing.text')}
          action={<Link to="/menus/new">{t('simulator.nothing.action')}</Link>}
        />
      )}
      {!failed && !loading && (options.length > 0 || replay !== null) && (
        <div className="simulator-page">
          {replay === null && (
            <Picker
              {...hinted('simulator.entry')}
              value={entry}
              options={options}
              // Links lead here from every kind of destination.
              also={(text) => (text === entry ? [{ value: text, label: names(text).name }] : [])}
              onChange={(value) => go(`/simulator?entry=${encodeURIComponent(value)}`, { replace: true })}
            />
          )}
          {replay !== null && (
            <p>
              <Link to="/simulator">{t('simulator.replay.hand')}</Link>
            </p>
          )}
          <SimulatorPanel
            key={replay ?? ''}
            entry={entry}
            draft={null}
            onPath={nothing}
            {...(replay === null ? {} : { replay })}
          />
        </div>
      )}
    </Frame>
  );
}
