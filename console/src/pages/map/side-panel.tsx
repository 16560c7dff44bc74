// The panel of the selected node: its record is edited here, with what leads to it and where it leads.
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { referenceText, splitReference } from '../../../../src/kinds/reference.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Icon } from '../../kit/icon.tsx';
import { Loading } from '../../kit/states.tsx';
import { Link, pathTo } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import type { IvrDraft } from '../editor/draft.ts';
import type { Edit } from '../editor/use-editor.ts';
import { exitsOf, isCopied, isFixed, recordAt } from './edit/changes.ts';
import type { Editing } from './edit/use-editing.ts';
import { FindingList } from './finding-list.tsx';
import { isEntry, type MapGraph, type MapKind, type MapNode, NEW_MENU, type NodeId } from './graph.ts';
import { KIND_ICONS, type Labels } from './labels.ts';
import type { Finding } from './overlays/checks.ts';
import type { Overlay } from './overlays/overlay.ts';
import { Panel } from './panel.tsx';
import { RecordEditor } from './record-editor.tsx';

const MenuEditor = lazy(async () => ({
  default: (await import('../editor/menu-editor.tsx')).MenuEditor,
}));

interface SidePanelProps {
  readonly graph: MapGraph;
  readonly labels: Labels;
  readonly selected: NodeId;
  readonly overlay: Overlay;
  readonly findings: readonly Finding[];
  readonly editing: Editing;
  readonly onAsk: (node: MapNode, pointer: string | null) => void;
  /** It was open when the page was loaded. */
  readonly calm: boolean;
  readonly onSelect: (id: NodeId) => void;
  readonly onFix: (finding: Finding) => void;
  readonly onTry: (id: NodeId) => void;
  readonly onClose: () => void;
  /** Also for a new menu, which gets its id. */
  readonly onSaved: (id: string) => void;
  readonly onDraft: (id: string | null, draft: IvrDraft | null) => void;
  /** A function that changes the open menu; null: closed. */
  readonly onEdit: (edit: Edit | null) => void;
}

/** The page of each kind. */
const PAGES: Readonly<Partial<Record<MapKind, string>>> = {
  dialled: 'numbers',
  hours: 'hours',
  announcement: 'announcements',
  department: 'departments',
  agent: 'agents',
  voicemail: 'voicemail',
  room: 'rooms',
  trunk: 'trunks',
  collect: 'collects',
  request: 'requests',
  stream: 'streams',
  switch: 'switches',
  message: 'messages',
  sip: 'sip-addresses',
};

export function SidePanel(props: SidePanelProps) {
  const { graph, labels, selected, onClose, onDraft, onSaved } = props;
  const { t } = useWords();
  const node = graph.byId.get(selected);
  // A menu that was just stored is not on the map yet; its editor stays, with its undo history.
  const stored = useRef<NodeId | null>(null);
  const [shown, setShown] = useState({ selected, round: 0 });
  if (shown.selected !== selected)
    setShown({ selected, round: selected === stored.current ? shown.round : shown.round + 1 });
  const editing = selected === NEW_MENU || node?.kind === 'menu' || selected === stored.current;
  const id = selected === NEW_MENU ? null : splitReference(selected).id;
  const name = node ? labels.name(node) : t('map.newMenu');
  return (
    <Panel label={t('map.panel', { name })} about={shown.round} calm={props.calm} onClose={onClose}>
      {editing ? (
        <Suspense fallback={<Loading />}>
          <MenuEditor
            key={shown.round}
            id={id}
            onClose={onClose}
            onDraft={(draft) => onDraft(id, draft)}
            onEdit={props.onEdit}
            onSaved={(saved) => {
              if (id !== null) return;
              stored.current = referenceText('ivr', saved);
              onSaved(saved);
            }}
          />
        </Suspense>
      ) : (
        <Summary {...props} node={node} />
      )}
    </Panel>
  );
}

function Summary({ node, ...props }: SidePanelProps & { readonly node: MapNode | undefined }) {
  const { labels, overlay, findings, onFix, onTry, onClose } = props;
  const { t } = useWords();
  const page = node && PAGES[node.kind];
  const mark = node && overlay.get(node.id);
  return (
    <div className="map-summary">
      <header>
        {node && <Icon name={KIND_ICONS[node.kind]} size={22} />}
        <div>
          <h2 dir="auto">{node ? labels.name(node) : props.selected}</h2>
          <p>{node ? labels.about(node) : t('map.panel.gone')}</p>
        </div>
        <IconButton icon="close" label={t('map.panel.close')} onClick={onClose} />
      </header>
      {node?.kind === 'missing' && <p className="map-warning">{t('map.panel.missing')}</p>}
      {mark && findings.length === 0 && <p>{mark.text}</p>}
      {findings.length > 0 && <FindingList findings={findings} onFix={onFix} />}
      {node && (
        <div className="form-actions">
          {page && (
            <Link className="button button-plain" to={pathTo(page, node.key)}>
              {t('map.panel.open')}
            </Link>
          )}
          {node.kind !== 'missing' && !isFixed(node.kind) && (
            <Button icon="phone" onClick={() => onTry(node.id)}>
              {t('map.try.from')}
            </Button>
          )}
          <NodeActions {...props} node={node} />
        </div>
      )}
      {node && recordAt(node) && (
        <RecordEditor
          key={node.id}
          kind={node.kind}
          id={node.key}
          onDone={(made) => {
            if (made === null) onClose();
          }}
        />
      )}
      {node && <Ways {...props} node={node} />}
    </div>
  );
}

function NodeActions({ node, editing, onAsk }: SidePanelProps & { readonly node: MapNode }) {
  const { t } = useWords();
  if (!editing.mayEdit) return null;
  return (
    <>
      {exitsOf(node).length > 0 && (
        <Button icon="transfer" onClick={() => onAsk(node, null)}>
          {t('map.edit.connect.short')}
        </Button>
      )}
      {isCopied(node.kind) && (
        <Button icon="copy" onClick={() => void editing.duplicate(node)}>
          {t('map.edit.duplicate')}
        </Button>
      )}
    </>
  );
}

function Ways({ node, graph, labels, onSelect }: SidePanelProps & { readonly node: MapNode }) {
  const { t } = useWords();
  const jump = (id: NodeId): ReactNode => {
    const target = graph.byId.get(id);
    return (
      target && (
        <Button kind="quiet" icon={KIND_ICONS[target.kind]} onClick={() => onSelect(id)}>
          {labels.name(target)}
        </Button>
      )
    );
  };
  const sources = graph.sources.get(node.id) ?? [];
  return (
    <>
      {node.ways.length > 0 && (
        <section>
          <h3>{t('map.panel.leads')}</h3>
          <ul className="map-jumps">
            {node.ways.map((way) => (
              <li key={way.pointer}>
                <span>{labels.reason(way)}</span>
                {way.ends === null ? (
                  <span className="map-jump-goals">
                    {way.to.slice(0, MOST_JUMPS).map((id) => (
                      <span key={id}>{jump(id)}</span>
                    ))}
                  </span>
                ) : (
                  <span>{labels.goal(way)}</span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {!isEntry(node) && (
        <section>
          <h3>{t('map.panel.from')}</h3>
          {sources.length === 0 && <p>{t('map.panel.nowhere')}</p>}
          <ul className="map-jumps">
            {sources.slice(0, MOST_JUMPS).map((id) => (
              <li key={id}>{jump(id)}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Longer lists are cut. */
const MOST_JUMPS = 100;
