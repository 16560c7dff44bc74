import { lazy, type ReactNode, type RefObject, Suspense, useMemo } from 'react';
import { useMayChange } from '../../data/may.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { usePeople } from '../../kit/people.ts';
import { Picker } from '../../kit/picker.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { type MovableAddress, SHOWS } from './address.ts';
import { isFixed } from './edit/changes.ts';
import { type MapGraph, type MapKind, NEW_MENU } from './graph.ts';
import type { Labels } from './labels.ts';

const StatisticsChoice = lazy(async () => ({
  default: (await import('./statistics-choice.tsx')).StatisticsChoice,
}));

interface ToolbarProps {
  readonly address: MovableAddress;
  /** Also what is folded or filtered out. */
  readonly whole: MapGraph;
  readonly labels: Labels;
  readonly outline: boolean;
  readonly search: RefObject<HTMLDivElement | null>;
  readonly status: ReactNode;
  /** How many changes the account's draft has. */
  readonly drafted: number;
}

export function Toolbar({ address, whole: graph, labels, outline, search, status, drafted }: ToolbarProps) {
  const { t } = useWords();
  const personOf = usePeople();
  // People first.
  const options = useMemo(
    () =>
      graph.nodes
        .map((node) => ({
          ...(node.kind === 'agent' ? personOf(node.id) : {}),
          value: node.id,
          label: labels.name(node),
          note: [labels.kind(node), node.kind === 'missing' ? '' : node.note].filter(Boolean).join(' · '),
          rank: node.kind === 'agent' ? 0 : 1,
        }))
        .sort((a, b) => a.rank - b.rank || a.label.localeCompare(b.label)),
    [graph, labels, personOf],
  );
  const entry = entryOf(address, graph);
  const mayEdit = useMayChange('ivr');
  return (
    <div className="map-tools">
      <div className="map-search" ref={search}>
        <Picker
          label={t('map.search')}
          hideLabel
          value=""
          placeholder={t('map.search.hint')}
          options={options}
          onChange={(selected) => address.move({ selected })}
        />
      </div>
      <fieldset className="map-shows">
        <legend className="unseen">{t('map.show')}</legend>
        {SHOWS.filter((show) => show !== 'draft' || drafted > 0 || address.show === 'draft').map((show) => (
          <label key={show} className={show === address.show ? 'map-show map-show-on' : 'map-show'}>
            <input
              type="radio"
              name="map-show"
              className="unseen"
              checked={show === address.show}
              onChange={() => address.move({ show })}
            />
            {t(`map.show.${show}`)}
          </label>
        ))}
      </fieldset>
      {address.show === 'statistics' && (
        <Suspense fallback={null}>
          <StatisticsChoice address={address} />
        </Suspense>
      )}
      <Filters address={address} graph={graph} labels={labels} />
      <p className="map-status" role="status">
        {status}
      </p>
      <div className="map-actions">
        {drafted > 0 && (
          <Link className="button button-plain" to={pathTo('draft')}>
            {t('map.draft.link', { count: drafted })}
          </Link>
        )}
        <IconButton
          icon={outline ? 'map' : 'calls'}
          label={t(outline ? 'map.asPicture' : 'map.asOutline')}
          onClick={() => address.move({ view: outline ? 'picture' : 'outline' })}
        />
        <Button
          icon="phone"
          disabled={entry === ''}
          onClick={() => address.move({ trying: entry, replay: null })}
        >
          {t('map.try')}
        </Button>
        {mayEdit && (
          <Button kind="primary" icon="add" onClick={() => address.move({ selected: NEW_MENU })}>
            {t('map.newMenu')}
          </Button>
        )}
      </div>
    </div>
  );
}

interface FiltersProps {
  readonly address: MovableAddress;
  readonly graph: MapGraph;
  readonly labels: Labels;
}

/** The part of one number or one department; offered where there are several. */
function Filters({ address, graph, labels }: FiltersProps) {
  const { t } = useWords();
  const options = useMemo(() => {
    const of = (wanted: MapKind) =>
      graph.nodes
        .filter(({ kind }) => kind === wanted)
        .map((node) => ({ value: node.id, label: labels.name(node), note: node.note }))
        .sort((a, b) => a.label.localeCompare(b.label));
    return { number: of('dialled'), department: of('department') };
  }, [graph, labels]);
  const hasAgents = useMemo(() => graph.nodes.some(({ kind }) => kind === 'agent'), [graph]);
  return (
    <>
      {(['number', 'department'] as const)
        .filter((kind) => options[kind].length > 1)
        .map((kind) => (
          <div key={kind} className="map-filter">
            <Picker
              label={t(`map.filter.${kind}`)}
              hideLabel
              value={address[kind] ?? ''}
              options={[{ value: '', label: t(`map.filter.${kind}.all`) }, ...options[kind]]}
              onChange={(id) => address.move({ [kind]: id === '' ? null : id })}
            />
          </div>
        ))}
      {hasAgents && options.department.length > 0 && (
        <label className="map-agents">
          <input
            type="checkbox"
            checked={address.allAgents}
            onChange={({ target }) => address.move({ allAgents: target.checked })}
          />
          {t('map.filter.agents')}
        </label>
      )}
    </>
  );
}

/** The entry for a simulated call: the selection if a call can begin there, else the first number or menu. */
function entryOf({ selected }: MovableAddress, { nodes, byId }: MapGraph): string {
  const node = selected === null ? undefined : byId.get(selected);
  if (node && node.kind !== 'missing' && !isFixed(node.kind)) return node.id;
  return (
    (nodes.find(({ kind }) => kind === 'dialled') ?? nodes.find(({ kind }) => kind === 'menu'))?.id ?? ''
  );
}
