// What systems and voice bots do in the next simulated call: a choice for each that the call can reach.

import type { RequestNode } from '../../../../src/flow/logic-nodes.ts';
import type { StreamNode } from '../../../../src/flow/stream-phase.ts';
import type { Named } from '../../data/names.ts';
import { SelectField, TextField } from '../../kit/field.tsx';
import { useWords } from '../../words/words.tsx';
import { type BotEnd, type Outside, type SystemAnswer, USUAL_ANSWER } from './outside.ts';

interface OutsideProps {
  readonly requests: readonly RequestNode[];
  readonly streams: readonly StreamNode[];
  readonly outside: Outside;
  readonly nameOf: (reference: string) => Pick<Named, 'name'>;
  readonly onChange: (outside: Outside) => void;
}

export function OutsideFields({ requests, streams, outside, nameOf, onChange }: OutsideProps) {
  const { t } = useWords();
  return (
    <>
      {requests.length > 0 && (
        <fieldset className="choices simulator-people">
          <legend>{t('simulator.systems')}</legend>
          <p className="simulator-hint">{t('simulator.systems.hint')}</p>
          {requests.map((node) => (
            <Answer
              key={node.ref}
              node={node}
              answer={outside.requests[node.ref] ?? USUAL_ANSWER}
              onChange={(answer) =>
                onChange({ ...outside, requests: { ...outside.requests, [node.ref]: answer } })
              }
            />
          ))}
        </fieldset>
      )}
      {streams.length > 0 && (
        <fieldset className="choices simulator-people">
          <legend>{t('simulator.bots')}</legend>
          {streams.map(({ ref, name, destinations }) => (
            <SelectField<BotEnd>
              key={ref}
              label={name}
              value={outside.bots[ref] ?? 'ends'}
              options={[
                { value: 'ends', label: t('simulator.bots.ends') },
                ...destinations.map((to) => ({
                  value: `to ${to}` as const,
                  label: t('simulator.bots.to', { name: nameOf(to).name }),
                })),
                { value: 'fails', label: t('simulator.bots.fails') },
              ]}
              onChange={(does) => onChange({ ...outside, bots: { ...outside.bots, [ref]: does } })}
            />
          ))}
        </fieldset>
      )}
    </>
  );
}

interface AnswerProps {
  readonly node: RequestNode;
  readonly answer: SystemAnswer;
  readonly onChange: (answer: SystemAnswer) => void;
}

function Answer({ node: { name, choices, save }, answer, onChange }: AnswerProps) {
  const { t } = useWords();
  return (
    <>
      <SelectField<SystemAnswer['does']>
        label={name}
        value={answer.does}
        options={[
          { value: 'answers', label: t('simulator.systems.answers') },
          ...choices.map((choice) => ({
            value: `choice ${choice.answer}` as const,
            label: t('simulator.systems.choice', { answer: choice.answer }),
          })),
          { value: 'fails', label: t('simulator.systems.fails') },
        ]}
        onChange={(does) => onChange({ ...answer, does })}
      />
      {answer.does !== 'fails' &&
        save.map(({ variable, pointer }) => (
          <TextField
            key={variable}
            label={t('simulator.systems.value', { name, variable })}
            value={answer.values[pointer] ?? ''}
            maxLength={1_024}
            onChange={(value) => onChange({ ...answer, values: { ...answer.values, [pointer]: value } })}
          />
        ))}
    </>
  );
}
