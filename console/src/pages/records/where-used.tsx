// Where a record is used: what would lead nowhere without it.
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { KINDS, type Kind } from '../../data/kinds.ts';
import { Icon } from '../../kit/icon.tsx';
import { Failure } from '../../kit/states.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import './records.css';

type UsedKind = Exclude<Kind, 'token'>;

const isKind = (kind: string): kind is Kind => kind in KINDS;

export function WhereUsed({ kind, id }: { readonly kind: UsedKind; readonly id: string }) {
  const { t } = useWords();
  const { value, error, again } = useAsk(
    (signal) => client.listReferences({ params: { kind, id }, signal }),
    [kind, id],
  );
  const used = value?.data ?? [];
  return (
    <section className="records-section" aria-label={t('records.used')}>
      <header className="records-section-head">
        <h2>{t('records.used')}</h2>
      </header>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value && used.length === 0 && <p className="records-quiet">{t('records.used.none')}</p>}
      {used.length > 0 && (
        <ul className="records-used">
          {used.map((one) => (
            <li key={`${one.kind} ${one.id}`}>
              <Icon name="arrow" size={14} />
              <span className="records-quiet">{kindName(one.kind, t)}</span>
              <UserLink kind={one.kind} id={one.id} name={one.name} />
            </li>
          ))}
        </ul>
      )}
      {value && !value.is_complete && <p className="field-hint">{t('records.used.more')}</p>}
    </section>
  );
}

const kindName = (kind: string, t: Words['t']): string =>
  isKind(kind) ? t(`kit.kind.${kind}`) : t('shell.section.settings');

function UserLink({ kind, id, name }: { readonly kind: string; readonly id: string; readonly name: string }) {
  const { t } = useWords();
  if (isKind(kind)) return <Link to={pathTo(KINDS[kind].page, id)}>{name}</Link>;
  return <Link to="/settings">{t('shell.page.settings')}</Link>;
}
