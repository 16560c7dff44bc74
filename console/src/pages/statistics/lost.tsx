// Where callers get lost, the worst first, with advice.

import { useNames } from '../../data/names.ts';
import { Icon } from '../../kit/icon.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { type MenusStatistics, rankLosses } from './menu-paint.ts';
import { mapAddress, type Range } from './range.ts';

export function Lost({ menus, range }: { readonly menus: MenusStatistics; readonly range: Range }) {
  const { t, percent } = useWords();
  const nameOf = useNames();
  const losses = rankLosses(menus);
  return (
    <>
      <p className="statistics-note">
        {losses.length > 0 ? t('statistics.lost.intro') : t('statistics.lost.none')}{' '}
        <Link to={mapAddress(range)}>{t('statistics.lost.onMap')}</Link>
      </p>
      {losses.length > 0 && (
        <ol className="statistics-lost">
          {losses.map(({ ivr, kind, count, visits, share }) => {
            const { name, to } = nameOf(`ivr||${ivr}`);
            return (
              <li key={`${ivr} ${kind}`}>
                <span className="statistics-share">{percent(share)}</span>
                <div>
                  {to === null ? <strong>{name}</strong> : <Link to={to}>{name}</Link>}
                  <p>{t(`statistics.lost.${kind}`, { count, visits })}</p>
                  <p className="statistics-advice">
                    <Icon name="info" />
                    {t(`statistics.lost.advice.${kind}`)}
                  </p>
                </div>
              </li>
            );
          })}
        </ol>
      )}
    </>
  );
}
