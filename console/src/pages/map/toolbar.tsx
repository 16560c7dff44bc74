import { type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react';
import { Button, IconButton } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/field.tsx';
import { Picker } from '../../kit/picker.tsx';
import { useWords } from '../../words/words.tsx';
import { lastDays, MAX_DAYS, type Range, rangeFault } from '../statistics/range.ts';
import { type MovableAddress, RANGES, SHOWS } from './address.ts';
import { type MapGraph, NEW_MENU } from './graph.ts';
import type { Labels } from './labels.ts';
import { MEASURES } from './overlays/statistics.ts';

interface ToolbarProps {
  readonly address: MovableAddress;
  readonly graph: MapGraph;
  readonly labels: Labels;
  readonly outline: boolean;
  readonly search: RefObject<HTMLDivElement | null>;
  readonly status: ReactNode;
}

export function Toolbar({ address, graph, labels, outline, search, status }: ToolbarProps) {
  const { t } = useWords();
  const options = useMemo(
    () =>
      graph.nodes
        .map((node) => ({
          value: node.id,
          label: labels.name(node),
          note: [labels.kind(node), node.kind === 'missing' ? '' : node.note].filter(Boolean).join(' · '),
        }))
        .sort((a, b) => a.label.localeCompare(b.label)),
    [graph, labels],
  );
  const entry = entryOf(address, graph);
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
        {SHOWS.map((show) => (
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
      {address.show === 'statistics' && <StatisticsChoice address={address} />}
      <p className="map-status" role="status">
        {status}
      </p>
      <div className="map-actions">
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
        <Button kind="primary" icon="add" onClick={() => address.move({ selected: NEW_MENU })}>
          {t('map.newMenu')}
        </Button>
      </div>
    </div>
  );
}

/** The entry for a simulated call: the selection if a call can begin there, else the first number or menu. */
function entryOf({ selected }: MovableAddress, { nodes, byId }: MapGraph): string {
  const node = selected === null ? undefined : byId.get(selected);
  if (node && node.kind !== 'missing' && node.kind !== 'outside') return node.id;
  return (
    (nodes.find(({ kind }) => kind === 'dialled') ?? nodes.find(({ kind }) => kind === 'menu'))?.id ?? ''
  );
}

const OWN = 'own';

/** Any two days. An incomplete date does not apply. */
function Span({ span, onChange }: { readonly span: Range; readonly onChange: (span: Range) => void }) {
  const { t } = useWords();
  const [draft, setDraft] = useState(span);
  useEffect(() => setDraft(span), [span]);
  const found = rangeFault(draft);
  const change = (next: Range): void => {
    setDraft(next);
    if (rangeFault(next) === null) onChange(next);
  };
  return (['from', 'to'] as const).map((end) => (
    <TextField
      key={end}
      type="date"
      label={t(`statistics.range.${end}`)}
      hideLabel
      title={t(`statistics.range.${end}`)}
      value={draft[end]}
      fault={found?.field === end ? t(`statistics.range.${found.fault}`, { most: MAX_DAYS }) : undefined}
      onChange={(day) => change({ ...draft, [end]: day })}
    />
  ));
}

function StatisticsChoice({ address }: { readonly address: MovableAddress }) {
  const { t } = useWords();
  return (
    <>
      <SelectField
        label={t('map.measure')}
        hideLabel
        value={address.measure}
        options={MEASURES.map((value) => ({ value, label: t(`map.measure.${value}`) }))}
        onChange={(measure) => address.move({ measure })}
      />
      <SelectField
        label={t('map.range')}
        hideLabel
        value={address.span ? OWN : String(address.days)}
        options={[
          ...RANGES.map((count) => ({ value: String(count), label: t('map.range.days', { count }) })),
          { value: OWN, label: t('map.range.own') },
        ]}
        onChange={(chosen) =>
          address.move(
            chosen === OWN ? { span: lastDays(address.days) } : { days: Number(chosen), span: null },
          )
        }
      />
      {address.span && <Span span={address.span} onChange={(span) => address.move({ span })} />}
      <p className={`map-legend map-about-${address.measure}`} aria-hidden="true">
        {t('map.legend.few')}
        {[1, 2, 3, 4, 5].map((shade) => (
          <span key={shade} className={`map-shade map-mark-heat-${shade}`} />
        ))}
        {t('map.legend.many')}
      </p>
    </>
  );
}
