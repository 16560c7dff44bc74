import { type ReactNode, useState } from 'react';
import { useAgentStates } from '../../data/live.ts';
import { useRecords } from '../../data/records.ts';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { Link } from '../../router.tsx';
import { useWords, type Words } from '../../words/words.tsx';
import { Gallery } from '../templates/gallery.tsx';
import { AgentStep } from './agent-step.tsx';
import './guide.css';
import { useKept } from './kept.ts';
import { keyFor } from './menu-plan.ts';
import { MenuStep } from './menu-step.tsx';
import { NumberStep } from './number-step.tsx';
import { freeNumber, type Progress, progressOf, STEPS, type Step, stepState } from './progress.ts';
import { StepFrame } from './step.tsx';
import { useSipServer } from './telephony.ts';

export function Page() {
  const { t } = useWords();
  const [agents, menus, numbers] = [useRecords('agent'), useRecords('ivr'), useRecords('number')];
  const lists = [agents, menus, numbers];
  const failed = lists.find(({ state }) => state === 'failed');
  const { off } = useSipServer();
  return (
    <Frame title={t('guide.title')} intro={t('guide.intro')}>
      {off && (
        <Notice tone="warn">
          <strong>{t('guide.off.title')}</strong>
          <p>{t('guide.off.text')}</p>
        </Notice>
      )}
      {failed ? (
        <Failure error={failed.error} onAgain={failed.reload} />
      ) : lists.some(({ state }) => state === 'loading') ? (
        <Loading />
      ) : (
        <>
          <Steps agents={agents.items} menus={menus.items} numbers={numbers.items} />
          <Gallery />
        </>
      )}
    </Frame>
  );
}

type Account = Parameters<typeof progressOf>[0];

function Steps(account: Account) {
  const { t } = useWords();
  const [kept, keep] = useKept();
  const states = useAgentStates();
  const hasPhone = (eid: string): boolean => (states?.get(eid)?.phones.reachable ?? 0) > 0;
  const progress = progressOf(account, kept);
  const [open, setOpen] = useState<Step | null>(progress.next ?? 'number');
  /** By eid; only in memory. */
  const [passwords, setPasswords] = useState<ReadonlyMap<string, string>>(new Map());
  const { agent, menu, number } = progress;
  const after = (step: Step): void => setOpen(STEPS[STEPS.indexOf(step) + 1] ?? null);
  const skip = (step: Step): void => {
    keep({ skipped: [...kept.skipped, step] });
    after(step);
  };
  const bodies: Readonly<Record<Step, ReactNode>> = {
    agent: (
      <AgentStep
        agents={account.agents}
        agent={agent}
        password={agent ? passwords.get(agent.eid) : undefined}
        onContinue={() => after('agent')}
        onAgent={(eid, made) => {
          keep({ agent: eid });
          if (made !== undefined) setPasswords((now) => new Map(now).set(eid, made));
        }}
      />
    ),
    menu: (
      <MenuStep
        agent={agent}
        menu={menu}
        onContinue={() => after('menu')}
        onMenu={(id) => {
          keep({ menu: id });
          after('menu');
        }}
      />
    ),
    number: (
      <NumberStep
        agent={agent}
        menu={menu}
        number={number}
        proposed={freeNumber(account.numbers, account.agents)}
        onNumber={(id) => keep({ number: id })}
      />
    ),
  };
  return (
    <>
      <ol className="guide-steps">
        {STEPS.map((step) => {
          const state = stepState(step, progress, kept.skipped, hasPhone);
          return (
            <StepFrame
              key={step}
              step={step}
              state={state}
              summary={summaryOf(step, progress, t)}
              open={open === step}
              onOpen={() => setOpen(step)}
              onSkip={state === 'open' ? () => skip(step) : null}
            >
              {bodies[step]}
            </StepFrame>
          );
        })}
      </ol>
      {number && (
        <section className="guide-after" aria-labelledby="guide-after">
          <h2 id="guide-after">{t('guide.after.title')}</h2>
          <ul>
            <li>
              <Link to="/map">{t('guide.after.map')}</Link>
            </li>
            <li>
              <Link to="/calls">{t('guide.after.calls')}</Link>
            </li>
            <li>
              <Link to="/agents">{t('guide.after.agents')}</Link>
            </li>
          </ul>
        </section>
      )}
    </>
  );
}

/** The result of a step, in one line. */
function summaryOf(step: Step, { agent, menu, number }: Progress, t: Words['t']): string | null {
  if (step === 'agent')
    return agent && t('guide.agent.summary', { name: agent.name, intercom: agent.intercom });
  if (step === 'number')
    return number && t('guide.number.summary', { number: number.number, menu: menu?.name ?? '' });
  if (!menu) return null;
  const key = agent ? keyFor(menu.option, menu.destination, agent.eid) : null;
  return agent && key?.leads
    ? t('guide.menu.summary', { menu: menu.name, keys: key.keys, agent: agent.name })
    : t('guide.menu.summaryAlone', { menu: menu.name });
}
