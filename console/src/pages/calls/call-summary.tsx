import type { CallRecord } from '../../../../client/operations.ts';
import { splitReference } from '../../../../src/kinds/reference.ts';
import { useNames } from '../../data/names.ts';
import { Notice } from '../../kit/states.tsx';
import { Link, pathTo } from '../../router.tsx';
import { translated } from '../../words/translator.ts';
import { useWords, type Words } from '../../words/words.tsx';
import { callerText } from './caller-text.ts';
import { type Fact, Facts } from './facts.tsx';
import { NamedLink } from './named-link.tsx';
import { OutcomeBadge } from './outcome-badge.tsx';

export function CallSummaryCard({ call }: { readonly call: CallRecord }) {
  const words = useWords();
  const { t, dateTime, duration } = words;
  const lasted = Date.parse(call.ended_at) - Date.parse(call.started_at);
  const facts: readonly Fact[] = [
    [t('call.began'), dateTime(call.started_at)],
    [t('call.duration'), duration(call.duration_ms ?? lasted)],
    [t('call.queue'), duration(call.wait_ms ?? call.queue_ms ?? 0)],
    [t('call.ring'), duration(call.ring_ms)],
    [t('call.talk'), duration(call.talk_ms)],
    [t('call.direction'), t(`calls.direction.${call.direction}`)],
    ...identityFacts(call, words),
    ...webFacts(call, words),
  ];
  return (
    <section className="card calls-summary">
      <div className="calls-summary-head">
        <h2>{t('call.summary')}</h2>
        <OutcomeBadge outcome={call.outcome} schema={call.schema} />
      </div>
      {call.schema === 1 && <Notice tone="info">{t('call.old.text')}</Notice>}
      <p>{useSentence(call)}</p>
      <p>
        <NamedLink reference={call.entry} former={entryNameIn(call)} />
        {call.answered_by !== null && (
          <>
            {' → '}
            <NamedLink
              reference={`extension||${call.answered_by}`}
              former={agentNameIn(call, call.answered_by)}
            />
          </>
        )}
      </p>
      <Transfer way="from" other={call.transferred_from} />
      <Transfer way="to" other={call.transferred_to} />
      {call.end && (
        <div className="calls-end">
          <h3>{t('call.ended')}</h3>
          <p>{translated(call.end.text)}</p>
          <p className="field-hint">{t('call.cause', { cause: call.end.cause, word: call.end.word })}</p>
        </div>
      )}
      <Facts facts={facts}>
        {call.variables && (
          <div className="calls-facts-wide">
            <dt>{t('flow-logic.variables')}</dt>
            <dd>
              {Object.entries(call.variables).map(([name, value]) => (
                <div key={name}>
                  <code>{name}</code> {String(value)}
                </div>
              ))}
            </dd>
          </div>
        )}
        {call.sip_call_id && (
          <div className="calls-facts-wide">
            <dt>{t('call.id')}</dt>
            <dd>
              <code>{call.sip_call_id}</code>
            </dd>
          </div>
        )}
      </Facts>
    </section>
  );
}

/** Facts about a visitor who called by a call button. The address is what the page says: a text, never a link. */
function webFacts({ web }: CallRecord, { t }: Words): Fact[] {
  if (!web || web.button === null) return [];
  const button: Fact = [t('call.web.button'), web.button];
  return web.page === '' ? [button] : [button, [t('call.web.page'), web.page]];
}

/** What the trunk told of the caller; texts of the network are shown as they are. */
function identityFacts({ identity }: CallRecord, { t }: Words): Fact[] {
  if (!identity) return [];
  const { verstat, attestation, diversions, history } = identity;
  const facts: Fact[] = [];
  if (verstat !== null) {
    const said = t(`call.verstat.${verstat}`);
    facts.push([t('call.verstat'), attestation === null ? said : `${said} (${attestation})`]);
  }
  const ways = diversions.length > 0 ? diversions : history;
  const numbers = ways.map(({ number }) => number ?? t('calls.withheld'));
  if (numbers.length > 0) facts.push([t('call.diverted'), numbers.join(' · ')]);
  return facts;
}

function useSentence(call: CallRecord): string {
  const words = useWords();
  const names = useNames();
  const { t, duration } = words;
  const agentOf = ({ answered_by: eid }: CallRecord): string => {
    if (eid === null) return t('call.someone');
    const { name, missing } = names(`extension||${eid}`);
    return missing ? (agentNameIn(call, eid) ?? name) : name;
  };
  const entryName = (): string => {
    const { name, missing } = names(call.entry);
    return missing ? (entryNameIn(call) ?? name) : name;
  };
  return t(`call.said.${call.outcome ?? 'unknown'}`, {
    caller: callerText(call, words),
    dialled: call.dialled,
    entry: entryName(),
    agent: agentOf(call),
    ring: duration(call.ring_ms),
    talk: duration(call.talk_ms),
    duration: duration(call.duration_ms ?? Date.parse(call.ended_at) - Date.parse(call.started_at)),
  });
}

/** The agent's name at the time of the call; the agent may have been deleted since. */
export function agentNameIn(call: CallRecord, eid: string): string | undefined {
  return call.legs?.find(({ agent, agent_name: name }) => agent === eid && name)?.agent_name ?? undefined;
}

/** Where the entry is an agent that was deleted since. */
function entryNameIn(call: CallRecord): string | undefined {
  const { kind, id } = splitReference(call.entry);
  return kind === 'extension' ? agentNameIn(call, id) : undefined;
}

interface TransferProps {
  readonly way: 'from' | 'to';
  readonly other: CallRecord['transferred_to'];
}

function Transfer({ way, other }: TransferProps) {
  const { t } = useWords();
  if (!other) return null;
  const { kind, name } = other.by;
  return (
    <p>
      {t(`call.transferred.${way}.${kind}`, { name: name === '' ? t('call.someone') : name })}{' '}
      <Link to={pathTo('calls', other.call_id)}>{t(`call.transferred.${way}.open`)}</Link>
    </p>
  );
}
