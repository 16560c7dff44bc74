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
  /** The fault, as the server or the page words it. */
  readonly fault?: string | undefined;
  readonly required?: boolean | undefined;
  /** The label is for screen readers only. */
  readonly hideLabel?: boolean | undefined;
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
  const ids = useFieldIds({ hint, fault });
  return (
    <div className={`field ${fault ? 'field-faulty' : ''}`}>
      <label htmlFor={ids.id} className={hideLabel ? 'unseen' : 'field-label'}>
        {label}
        {required && <span className="field-required"> ({t('kit.required')})</span>}
      </label>
      {children(ids)}
      <Notes id={ids.id} hint={hint} fault={fault} />
    </div>
  );
}

type NoteProps = Pick<FieldProps, 'hint' | 'fault'>;

function useFieldIds({ hint, fault }: NoteProps): FieldIds {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ');
  return { id, 'aria-describedby': described || undefined, 'aria-invalid': fault ? true : undefined };
}

function Notes({ id, hint, fault }: NoteProps & { readonly id: string }) {
  return (
    <>
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
    </>
  );
}

interface Bound<Value> extends FieldProps {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A field over one element: what the field does not take goes to the element. */
type Control<Value, Attributes> = Bound<Value> & Omit<Attributes, keyof Bound<unknown> | 'id'>;

/** The field's own properties apart from those of its element. */
function split<Props extends FieldProps>({ label, hint, fault, hideLabel, ...element }: Props) {
  return { field: { label, hint, fault, hideLabel, required: element.required }, element };
}

export function TextField({
  value,
  onChange,
  ...props
}: Control<string, InputHTMLAttributes<HTMLInputElement>>) {
  const { field, element } = split(props);
  return (
    <Field {...field}>
      {(ids) => (
        <input
          type="text"
          autoComplete="off"
          {...element}
          {...ids}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

/** Empty is null: the caller decides what an empty field means. */
export function NumberField({
  value,
  onChange,
  ...props
}: Control<number | null, InputHTMLAttributes<HTMLInputElement>>) {
  const { field, element } = split(props);
  return (
    <Field {...field}>
      {(ids) => (
        <input
          {...element}
          {...ids}
          type="number"
          inputMode="numeric"
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value === '' ? null : target.valueAsNumber)}
        />
      )}
    </Field>
  );
}

export function TextArea({
  value,
  onChange,
  ...props
}: Control<string, TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  const { field, element } = split(props);
  return (
    <Field {...field}>
      {(ids) => (
        <textarea
          rows={3}
          {...element}
          {...ids}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
}

type SelectProps<Value extends string> = Control<Value, SelectHTMLAttributes<HTMLSelectElement>> & {
  readonly options: readonly Choice<NoInfer<Value>>[];
};

export function SelectField<Value extends string>({
  value,
  onChange,
  options,
  ...props
}: SelectProps<Value>) {
  const { field, element } = split(props);
  const choose = (text: string): void => {
    const chosen = options.find((option) => option.value === text);
    if (chosen) onChange(chosen.value);
  };
  return (
    <Field {...field}>
      {(ids) => (
        <select {...element} {...ids} value={value} onChange={({ target }) => choose(target.value)}>
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
  const ids = useFieldIds({ hint, fault });
  return (
    <div className={`field field-check ${fault ? 'field-faulty' : ''}`}>
      <label htmlFor={ids.id}>
        <input
          {...ids}
          type="checkbox"
          {...(toggle ? { role: 'switch', className: 'switch' } : {})}
          checked={value}
          disabled={disabled}
          onChange={({ target }) => onChange(target.checked)}
        />
        <span>{label}</span>
      </label>
      <Notes id={ids.id} hint={hint} fault={fault} />
    </div>
  );
}

export const SwitchField = (props: Bound<boolean> & { readonly disabled?: boolean }) => (
  <CheckField {...props} toggle />
);
