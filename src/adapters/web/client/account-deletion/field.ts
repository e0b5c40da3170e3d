/** A field with its label above it, and below it what is wrong or what it takes. */
import { element } from './element.ts';

export interface FieldSettings {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly inputmode?: string;
  readonly isMultiline?: boolean;
  readonly isRequired?: boolean;
}

export interface Field {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement | HTMLTextAreaElement;
  setHint(hint: string): void;
  /** Null: nothing is wrong. */
  setError(error: string | null): void;
}

export function makeField(settings: FieldSettings): Field {
  const { name, label, hint = '', type = 'text', autocomplete, inputmode = null } = settings;
  const ids = { input: `${name}-field`, hint: `${name}-hint`, error: `${name}-error` };
  const attributes = {
    id: ids.input,
    name,
    autocomplete,
    inputmode,
    'aria-describedby': `${ids.error} ${ids.hint}`,
    'aria-required': settings.isRequired === true ? 'true' : null,
  };
  const input =
    settings.isMultiline === true
      ? element('textarea', { ...attributes, rows: '4' })
      : element('input', { ...attributes, type });
  const hintLine = element('p', { id: ids.hint, class: 'hint' }, hint);
  const errorLine = element('p', { id: ids.error, class: 'fault', role: 'alert' });
  const field: Field = {
    root: element(
      'div',
      { class: 'field' },
      element('label', { for: ids.input }, label),
      input,
      hintLine,
      errorLine,
    ),
    input,
    setHint(text) {
      hintLine.textContent = text;
    },
    setError(error) {
      errorLine.textContent = error ?? '';
      if (error === null) input.removeAttribute('aria-invalid');
      else input.setAttribute('aria-invalid', 'true');
    },
  };
  input.addEventListener('input', () => field.setError(null));
  return field;
}
