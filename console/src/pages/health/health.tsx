import { type HealthFinding, useHealth } from '../../data/health.ts';
import { useMay } from '../../data/may.ts';
import { useSession } from '../../data/session.tsx';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading } from '../../kit/states.tsx';
import { useAttempt } from '../../kit/toast.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { findingKey, useConcerned, useFindingText } from './finding-text.tsx';
import './health.css';
import { mendOf, pageOf } from './mends.ts';

export function Page() {
  const { t, time } = useWords();
  const { value, error, again } = useHealth();
  return (
    <Frame
      title={t('health.title')}
      intro={t('health.intro')}
      actions={
        <Button icon="history" onClick={again}>
          {t('health.again')}
        </Button>
      }
    >
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && (
        <>
          <p role="status" className="health-state">
            <State findings={value.data} />
            <small>{t('health.checked', { time: time(value.checked_at) })}</small>
          </p>
          <Findings findings={value.data.filter(({ severity }) => severity === 'error')} severity="error" />
          <Findings
            findings={value.data.filter(({ severity }) => severity === 'warning')}
            severity="warning"
          />
        </>
      )}
    </Frame>
  );
}

function State({ findings }: { readonly findings: readonly HealthFinding[] }) {
  const { t } = useWords();
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (errors > 0) return <Badge tone="bad">{t('health.errors', { count: errors })}</Badge>;
  if (findings.length > 0)
    return <Badge tone="warn">{t('health.warnings', { count: findings.length })}</Badge>;
  return (
    <span className="health-well">
      <Icon name="check" />
      {t('health.well')}
    </span>
  );
}

interface FindingsProps {
  readonly findings: readonly HealthFinding[];
  readonly severity: 'error' | 'warning';
}

function Findings({ findings, severity }: FindingsProps) {
  const { t } = useWords();
  if (findings.length === 0) return null;
  return (
    <section aria-label={t(`health.${severity}`)}>
      <h2>{t(`health.${severity}`)}</h2>
      <ul className="health-list">
        {findings.map((finding) => (
          <Finding key={findingKey(finding)} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

/** More of them are counted only. */
const NAMED = 12;

function Finding({ finding }: { readonly finding: HealthFinding }) {
  const { t } = useWords();
  const textOf = useFindingText();
  const concerned = useConcerned();
  const { code, concerns, count, severity } = finding;
  const several = count > 1;
  return (
    <li className={`health-finding health-${severity}`}>
      <Icon name="warn" />
      <div>
        <p className="health-text">{textOf(finding)}</p>
        <p className="health-why">{t(`health.why.${code}`)}</p>
        {several && (
          <p className="health-names">
            {concerns.slice(0, NAMED).map((reference) => {
              const { name, to } = concerned(reference);
              return to === null ? (
                <span key={reference}>{name}</span>
              ) : (
                <Link key={reference} to={to}>
                  {name}
                </Link>
              );
            })}
            {count > NAMED && <span>{t('health.more', { count: count - NAMED })}</span>}
          </p>
        )}
      </div>
      <Mending finding={finding} />
    </li>
  );
}

function Mending({ finding }: { readonly finding: HealthFinding }) {
  const { t } = useWords();
  const attempt = useAttempt();
  const { again } = useHealth();
  const concerned = useConcerned();
  const may = useMay();
  const mend = mendOf(finding);
  const isOperator = useSession().account?.operator ?? false;
  const page = finding.count > 1 ? null : pageOf(finding, (reference) => concerned(reference).to, isOperator);
  const isOthers = page === null && finding.count === 0;
  return (
    <div className="health-mend">
      {mend && may(mend.operation) && (
        <Button
          onClick={async () => {
            if (await attempt(mend.run)) again();
          }}
        >
          {t(mend.label)}
        </Button>
      )}
      {isOthers && <small>{t('health.operator')}</small>}
      {page !== null && (
        <Link to={page} className="button button-plain">
          {t('health.open')}
        </Link>
      )}
    </div>
  );
}
