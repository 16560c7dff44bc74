// Labelled controls. A hint and a fault belong to their control: screen readers read them with it.
import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { useWords } from '../words/words.tsx';

export interface FieldIds {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with it, as the server or the page says it. */
  readonly fault?: string | undefined;
  readonly required?: boolean;
  /** Read by screen readers, seen by nobody. */
  readonly hideLabel?: boolean;
}

export function Field({
  label,
  hint,
  fault,
  required = false,
  hideLabel = false,
  children,
}: FieldProps & { readonly children: (ids: FieldIds) => ReactNode }) {
  const { t } = useWords();
  const id = useId();
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  return (
    <div className={`field ${fault ? 'field-faulty' : ''}`}>
      <label htmlFor={id} className={hideLabel ? 'unseen' : 'field-label'}>
        {label}
        {required && <span className="field-required"> ({t('kit.required')})</span>}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': fault ? true : undefined,
      })}
      {fault && (
        <p id={`${id}-fault`} className="field-fault">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface Bound<Value> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

type Rest<Attributes> = Omit<Attributes, keyof Bound<unknown> | 'id'>;

export function TextField({
  label,
  hint,
  fault,
  required,
  hideLabel,
  value,
  onChange,
  ...rest
}: Bound<string> & Rest<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <Field {...pick({ label, hint, fault, required, hideLabel })}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          {...rest}
          {...ids}
          required={required}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Empty is null: what an empty field means is the caller's to say. */
export function NumberField({
  label,
  hint,
  fault,
  required,
  hideLabel,
  value,
  onChange,
  ...rest
}: Bound<number | null> & Rest<InputHTMLAttributes<HTMLInputElement>>) {
  return (
    <Field {...pick({ label, hint, fault, required, hideLabel })}>
      {(ids) => (
        <input
          {...rest}
          {...ids}
          type="number"
          inputMode="numeric"
          required={required}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  fault,
  required,
  hideLabel,
  value,
  onChange,
  ...rest
}: Bound<string> & Rest<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field {...pick({ label, hint, fault, required, hideLabel })}>
      {(ids) => (
        <textarea
          rows={3}
          {...rest}
          {...ids}
          required={required}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export function SelectField({
  label,
  hint,
  fault,
  required,
  hideLabel,
  value,
  onChange,
  options,
  ...rest
}: Bound<string> & { readonly options: readonly Choice[] } & Rest<SelectHTMLAttributes<HTMLSelectElement>>) {
  return (
    <Field {...pick({ label, hint, fault, required, hideLabel })}>
      {(ids) => (
        <select
          {...rest}
          {...ids}
          required={required}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  fault,
  value,
  onChange,
  toggle = false,
  disabled = false,
}: Bound<boolean> & { readonly toggle?: boolean; readonly disabled?: boolean }) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  return (
    <div className={`field field-check ${fault ? 'field-faulty' : ''}`}>
      <label htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          {...(toggle ? { role: 'switch', className: 'switch' } : {})}
          checked={value}
          disabled={disabled}
          aria-describedby={described || undefined}
          aria-invalid={fault ? true : undefined}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{label}</span>
      </label>
      {fault && (
        <p id={`${id}-fault`} className="field-fault">
          {fault}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

export const SwitchField = (props: Bound<boolean> & { readonly disabled?: boolean }) => (
  <CheckField {...props} toggle />
);

/** Without the members that are not there: optional properties are absent, never undefined. */
function pick({
  label,
  hint,
  fault,
  required,
  hideLabel,
}: { [K in keyof FieldProps]: FieldProps[K] | undefined }): FieldProps {
  return {
    label: label ?? '',
    ...(hint === undefined ? {} : { hint }),
    ...(fault === undefined ? {} : { fault }),
    ...(required === undefined ? {} : { required }),
    ...(hideLabel === undefined ? {} : { hideLabel }),
  };
}
