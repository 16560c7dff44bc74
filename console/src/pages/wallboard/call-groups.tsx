// Live calls by queue, with wait and talk apart. The wallboard and the page of live calls show them so.
import { memo, useCallback, useState } from 'react';
import type { LiveCall } from '../../data/live-state.ts';
import { useNames } from '../../data/names.ts';
import { Badge, type Tone } from '../../kit/badge.tsx';
import { useWords } from '../../words/words.tsx';
import { callerText } from '../calls/caller-text.ts';
import { NamedLink } from '../calls/named-link.tsx';
import { AddDialog } from '../live/add-dialog.tsx';
import { CallActions } from '../live/call-actions.tsx';
import { ListenDialog } from '../live/listen-dialog.tsx';
import { TransferDialog } from '../live/transfer-dialog.tsx';
import '../live/live.css';
import './wallboard.css';
import { Lasting } from './agent-board.tsx';
import type { CallGroup } from './figures.ts';

const TONES: Readonly<Record<LiveCall['state'], Tone>> = {
  calling_agent: 'info',
  menu: 'neutral',
  announcement: 'neutral',
  queue: 'warn',
  ringing: 'info',
  connected: 'good',
  voicemail: 'neutral',
  bot: 'good',
  room: 'good',
  ending: 'neutral',
};

type Act = 'transfer' | 'listen' | 'add';
type Open = (what: Act, call: LiveCall) => void;

interface Props {
  readonly groups: readonly CallGroup[];
  /** Whether the node of each call is shown. */
  readonly withNode?: boolean;
  /** The heading level of the names of groups, within the page. */
  readonly level: 2 | 3;
}

export const CallGroups = memo(function CallGroups({ groups, withNode = false, level }: Props) {
  const Heading = level === 2 ? 'h2' : 'h3';
  const words = useWords();
  const names = useNames();
  const [opened, setOpened] = useState<{ readonly what: Act; readonly call: LiveCall } | null>(null);
  const open = useCallback<Open>((what, call) => setOpened({ what, call }), []);
  const close = (): void => setOpened(null);
  const dialog = opened && { call: opened.call, caller: callerText(opened.call, words), onClose: close };
  return (
    <>
      {groups.map(({ department, calls }) => {
        const name = department === null ? words.t('board.noQueue') : names(`department||${department}`).name;
        return (
          <section key={department ?? ''} className="board-calls" aria-label={name}>
            <Heading>
              {name} <span className="board-count">{calls.length}</span>
            </Heading>
            <CallTable name={name} calls={calls} withNode={withNode} onOpen={open} />
          </section>
        );
      })}
      {dialog && opened.what === 'transfer' && <TransferDialog {...dialog} />}
      {dialog && opened.what === 'listen' && <ListenDialog {...dialog} />}
      {dialog && opened.what === 'add' && <AddDialog {...dialog} />}
    </>
  );
});

interface TableProps {
  readonly name: string;
  readonly calls: readonly LiveCall[];
  readonly withNode: boolean;
  readonly onOpen: Open;
}

function CallTable({ name, calls, withNode, onOpen }: TableProps) {
  const { t } = useWords();
  const columns = ['caller', 'dialled', 'state', 'where', 'wait', 'talk', 'since'] as const;
  return (
    <div className="table">
      {/* Roles: a table whose rows are laid out as a grid has none of its own. */}
      <table role="table" aria-label={name}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} role="columnheader" scope="col" className="table-unsorted">
                {t(`live.column.${column}`)}
              </th>
            ))}
            {withNode && (
              <th role="columnheader" scope="col" className="table-unsorted">
                {t('live.column.node')}
              </th>
            )}
            <th role="columnheader" scope="col" className="table-unsorted">
              <span className="unseen">{t('kit.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {calls.map((call) => (
            <Row key={call.id} call={call} withNode={withNode} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const stateOf = ({ state, consultation, consults_for }: LiveCall) => {
  if (consultation !== null) return 'live.state.held';
  return consults_for === null ? (`live.state.${state}` as const) : 'live.state.consultation';
};

interface RowProps {
  readonly call: LiveCall;
  readonly withNode: boolean;
  readonly onOpen: Open;
}

const Row = memo(function Row({ call, withNode, onOpen }: RowProps) {
  const { t, duration } = useWords();
  const { caller, caller_name: name, waiting_since: since, waited_ms: waited, answered_at: answered } = call;
  const where = call.agent === null ? call.node : `extension||${call.agent}`;
  return (
    <tr role="row">
      <td role="cell" data-label={t('live.column.caller')}>
        <span className="caller">
          <bdi>{caller ?? t('calls.withheld')}</bdi>
          {name && name !== caller && <small>{name}</small>}
        </span>
      </td>
      <td role="cell" data-label={t('live.column.dialled')}>
        <bdi>{call.dialled}</bdi>
      </td>
      <td role="cell" data-label={t('live.column.state')}>
        <Badge tone={call.consultation === null ? TONES[call.state] : 'warn'}>{t(stateOf(call))}</Badge>
      </td>
      <td role="cell" data-label={t('live.column.where')}>
        {where === null ? '–' : <NamedLink reference={where} />}
      </td>
      <td role="cell" className="table-number" data-label={t('live.column.wait')}>
        {since !== null ? <Lasting since={since} /> : waited ? duration(waited) : '–'}
      </td>
      <td role="cell" className="table-number" data-label={t('live.column.talk')}>
        {answered === null ? '–' : <Lasting since={answered} />}
      </td>
      <td role="cell" className="table-number" data-label={t('live.column.since')}>
        <Lasting since={call.started_at} />
      </td>
      {withNode && (
        <td role="cell" data-label={t('live.column.node')}>
          {call.node_id === '' ? '–' : <bdi>{call.node_id}</bdi>}
        </td>
      )}
      <td role="cell" className="table-actions">
        <CallActions call={call} onOpen={(what) => onOpen(what, call)} />
      </td>
    </tr>
  );
});
