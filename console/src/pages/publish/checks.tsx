// What the linter and the stored tests say of the account as the draft would make it.
import type { DraftCheck } from '../../../../client/operations.ts';
import { useNamesInTexts } from '../../data/names.ts';
import { Badge } from '../../kit/badge.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { withNames } from '../simulator/names.ts';

const MOST_SHOWN = 50;

export function Checks({ check }: { readonly check: DraftCheck }) {
  const { t } = useWords();
  const names = useNamesInTexts();
  const errors = check.findings.filter(({ severity }) => severity === 'error');
  const shown = [...errors, ...check.findings.filter(({ severity }) => severity !== 'error')].slice(
    0,
    MOST_SHOWN,
  );
  const failed = check.tests.filter(({ passed }) => !passed);
  return (
    <>
      <p>
        {check.findings.length === 0
          ? t('publish.checks.clean')
          : t('publish.checks.findings', { count: check.findings.length })}{' '}
        {check.tests.length === 0
          ? t('publish.tests.none')
          : failed.length === 0
            ? t('publish.tests.passed', { count: check.tests.length })
            : t('publish.tests.failed', { count: failed.length, all: check.tests.length })}
      </p>
      <ul className="publish-findings">
        {failed.map(({ menu, menu_name: name, name: test, differences }) => (
          <li key={`${menu} ${test}`}>
            <Badge tone="bad">{t('publish.test')}</Badge>
            <span>
              <strong dir="auto">{name}</strong>: {test}.{' '}
              {differences.map((difference) => withNames(difference, names)).join(' ')}
            </span>
          </li>
        ))}
        {shown.map(({ severity, node, code, pointer, message }) => (
          <li key={`${node} ${code} ${pointer}`}>
            <Badge tone={severity === 'error' ? 'bad' : 'warn'}>{t(`map.checks.${severity}`)}</Badge>
            <span>
              <Link to={pathTo('map', node)}>{names(node).name}</Link>: {withNames(message, names)}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
