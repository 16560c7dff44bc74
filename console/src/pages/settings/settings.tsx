import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Settings } from '../../../../client/operations.ts';
import { HOLD_SOUNDS } from '../../../../src/domain/account.ts';
import { SERVICE_LEVEL_SECONDS } from '../../../../src/domain/queue-visits.ts';
import { FAILED_CALLS, type FailedCalls } from '../../../../src/flow/flow.ts';
import { keysOf } from '../../../../src/kinds/lists.ts';
import { SRTP_MODES } from '../../../../src/kinds/trunk-choices.ts';
import { useAsk } from '../../data/ask.ts';
import { client } from '../../data/client.ts';
import { Button } from '../../kit/button.tsx';
import { useLeaveGuard } from '../../kit/dialog.tsx';
import { type Faults, useRequest } from '../../kit/faults.ts';
import { NumberField, SelectField, SwitchField, TextArea, TextField } from '../../kit/field.tsx';
import { Page as Frame } from '../../kit/page.tsx';
import { Failure, Loading, Notice } from '../../kit/states.tsx';
import { useToast } from '../../kit/toast.tsx';
import { Link } from '../../router.tsx';
import { useWords } from '../../words/words.tsx';
import { LanguageField } from '../prompts/language-field.tsx';
import { Section } from '../records/record-page.tsx';
import { RecordingField } from '../records/recording-field.tsx';
import '../records/records.css';

/** The wallboard, notifications and call buttons have pages of their own. */
type Name = Exclude<keyof Settings, 'wallboard' | 'notification_rules' | 'call_buttons'>;
type Value = number | boolean | string | readonly string[] | null;
type Draft = { readonly [N in Name]: Settings[N] extends number ? number | null : Settings[N] };

const GROUPS = [
  [
    'calls',
    [
      'ring_seconds',
      'several_calls_per_agent',
      'pause_reasons',
      'service_level_seconds',
      'failed_calls',
      'srtp',
      'language',
      'hold_sound',
      'music_on_hold',
      'intercom_auto_answer',
      'parking_spots',
      'parking_seconds',
      'recording_notice_tone',
      'max_voicemails',
      'loopback_calls',
    ],
  ],
  ['menus', ['sms_templates', 'strict_references', 'require_publish']],
  ['numbers', ['country', 'area_code']],
  ['outside', ['max_outbound_calls', 'clicks_per_minute', 'callbacks_per_hour']],
  ['reports', ['timezone', 'report_daily_to', 'report_weekly_to', 'report_hour']],
  ['keeping', ['keep_recordings_days', 'keep_voicemails_days', 'keep_call_records_days', 'keep_audit_days']],
] as const satisfies readonly (readonly [string, readonly Name[]])[];

/** Null where they are not set. */
const TEXTS: readonly Name[] = ['country', 'area_code', 'timezone'];
/** One entry a line. */
const LISTS: readonly Name[] = ['pause_reasons', 'report_daily_to', 'report_weekly_to'];

export function Page() {
  const { t } = useWords();
  const { value, error, again } = useAsk((signal) => client.getSettings({ signal }), []);
  return (
    <Frame title={t('settings.title')} intro={t('settings.intro')}>
      {error !== null && <Failure error={error} onAgain={again} />}
      {value === null && error === null && <Loading />}
      {value && <SettingsForm settings={value} onSaved={again} />}
    </Frame>
  );
}

function SettingsForm({ settings, onSaved }: { readonly settings: Settings; readonly onSaved: () => void }) {
  const { t } = useWords();
  const toast = useToast();
  const { faults, busy, send } = useRequest();
  const [draft, setDraft] = useState<Draft>(settings);
  useEffect(() => setDraft(settings), [settings]);
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal anew
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), [faults]);
  const dirty = JSON.stringify(draft) !== JSON.stringify(settings);
  useLeaveGuard(dirty);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await send(async () => {
      // Only changed settings are sent, so that a colleague's changes stay.
      const names = keysOf(draft).filter(
        (name) => JSON.stringify(draft[name]) !== JSON.stringify(settings[name]),
      );
      // A line that is empty is no entry.
      const entries = (lines: readonly string[]) =>
        lines.map((line) => line.trim()).filter((line) => line !== '');
      const sent = {
        ...draft,
        pause_reasons: entries(draft.pause_reasons),
        report_daily_to: entries(draft.report_daily_to),
        report_weekly_to: entries(draft.report_weekly_to),
      };
      await client.patchSettings({ body: Object.fromEntries(names.map((name) => [name, sent[name]])) });
      toast(t('kit.saved'));
      onSaved();
    });
  };
  return (
    <form ref={form} noValidate className="records-form" onSubmit={(event) => void save(event)}>
      {GROUPS.map(([group, names]) => (
        <Section key={group} title={t(`settings.group.${group}`)}>
          {names.map((name) => (
            <Setting
              key={name}
              name={name}
              value={draft[name]}
              onChange={(value) => setDraft((now) => ({ ...now, [name]: value }))}
              faults={faults}
            />
          ))}
        </Section>
      ))}
      <div className="records-foot">
        {faults.general !== undefined && <Notice tone="bad">{faults.general}</Notice>}
        <Button kind="primary" type="submit" busy={busy} disabled={!dirty}>
          {t('kit.save')}
        </Button>
        {dirty && <span className="records-unsaved">{t('records.unsaved')}</span>}
      </div>
    </form>
  );
}

interface SettingProps {
  readonly name: Name;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly faults: Faults;
}

function Setting({ name, value, onChange, faults }: SettingProps) {
  const { t } = useWords();
  const common = {
    label: t(`settings.${name}`),
    hint: t(`settings.${name}.hint`),
    fault: faults.at(`/${name}`),
  };
  if (typeof value === 'boolean') return <SwitchField {...common} value={value} onChange={onChange} />;
  if (LISTS.includes(name))
    return (
      <TextArea
        {...common}
        value={(value as readonly string[]).join('\n')}
        onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
      />
    );
  if (name === 'service_level_seconds')
    return (
      <SelectField
        {...common}
        value={String(value)}
        onChange={(seconds) => onChange(Number(seconds))}
        options={SERVICE_LEVEL_SECONDS.map((seconds) => ({
          value: String(seconds),
          label: t('settings.service_level_seconds.within', { count: seconds }),
        }))}
      />
    );
  if (name === 'hold_sound')
    return (
      <SelectField
        {...common}
        value={String(value)}
        onChange={onChange}
        options={HOLD_SOUNDS.map((sound) => ({ value: sound, label: t(`settings.hold_sound.${sound}`) }))}
      />
    );
  if (name === 'language') {
    return (
      <LanguageField
        {...common}
        hint={
          <>
            {common.hint} <Link to={`/prompts?language=${value}`}>{t('prompts.title')}</Link>
          </>
        }
        value={String(value)}
        onChange={onChange}
      />
    );
  }
  if (name === 'music_on_hold')
    return (
      <RecordingField
        {...common}
        instead={t('departments.music.builtIn')}
        value={String(value ?? '')}
        onChange={(reference) => onChange(reference || null)}
      />
    );
  if (name === 'srtp') {
    const options = SRTP_MODES.map((each) => ({ value: each, label: t(`settings.srtp.${each}`) }));
    return <SelectField {...common} value={String(value)} onChange={onChange} options={options} />;
  }
  if (name === 'failed_calls') {
    const options = FAILED_CALLS.map((each) => ({ value: each, label: t(`settings.failed_calls.${each}`) }));
    return <SelectField {...common} value={value as FailedCalls} onChange={onChange} options={options} />;
  }
  if (typeof value === 'string' || TEXTS.includes(name))
    return <TextField {...common} value={String(value ?? '')} onChange={onChange} />;
  return <NumberField {...common} value={value as number | null} onChange={onChange} min={0} />;
}
