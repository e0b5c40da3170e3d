import { ApiError } from '#console/api/http.ts';
import { LANGUAGES } from '#console/app/languages.ts';
import { accountDeletionWords as words } from '#console/app/words/account-deletion.ts';
import * as sharedWords from '#console/app/words/shared.ts';
import { ignoreHeldEnter } from '#console/keys/press.ts';
import { formatUtc, messageOf } from '#console/parts/display/format.ts';

export type Child = Node | string | null;

/** True sets an empty attribute; false and null omit it. */
type Attributes = Readonly<Record<string, string | boolean | null>>;

/** Strings become text nodes, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null) continue;
    made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function button(kind: string, label: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: kind }, label);
  made.addEventListener('click', act);
  return made;
}

interface FieldSettings {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly isMultiline?: boolean;
  readonly isRequired?: boolean;
}

export interface Field {
  readonly root: HTMLElement;
  readonly input: HTMLInputElement | HTMLTextAreaElement;
  setHint(hint: string): void;
  setError(error: string | null): void;
}

export function makeField(settings: FieldSettings): Field {
  const { name, label, hint = '', type = 'text', autocomplete } = settings;
  const ids = { input: `${name}-field`, hint: `${name}-hint`, error: `${name}-error` };
  const attributes = {
    id: ids.input,
    name,
    autocomplete,
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

interface FormSettings {
  readonly submitLabel: string;
  readonly buttonKind: 'primary' | 'danger';
  readonly send: () => Promise<void>;
  /** Returns null if a field already shows the error. */
  readonly explain: (error: unknown) => Node | null;
}

export function makeForm(
  { submitLabel, buttonKind, send, explain }: FormSettings,
  ...fields: Child[]
): HTMLFormElement {
  const submit = element('button', { type: 'submit', class: buttonKind }, submitLabel);
  const notice = element('div');
  const form = element('form', { novalidate: true }, ...fields, notice, submit);
  ignoreHeldEnter(form);
  let isSending = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isSending) return;
    isSending = true;
    submit.setAttribute('aria-disabled', 'true');
    form.setAttribute('aria-busy', 'true');
    notice.replaceChildren();
    try {
      await send();
    } catch (error) {
      const said = explain(error);
      if (said !== null) notice.replaceChildren(said);
    } finally {
      isSending = false;
      submit.removeAttribute('aria-disabled');
      form.removeAttribute('aria-busy');
    }
  });
  return form;
}

export function inform(text: string): HTMLElement {
  return element('div', { class: 'notice success', role: 'status' }, element('p', {}, text));
}

export function describeError(error: unknown, message = messageOf(error)): HTMLElement {
  const requestId = error instanceof ApiError ? error.requestId : null;
  return element(
    'div',
    { class: 'notice error', role: 'alert' },
    element('p', {}, message),
    requestId === null
      ? null
      : element('p', { class: 'request' }, element('code', {}, sharedWords.requestId(requestId))),
  );
}

export function waitOf({ retryAfter }: ApiError): string {
  return words.minutes(Math.max(1, Math.ceil((retryAfter ?? 60) / 60)));
}

const DAY = new Intl.DateTimeFormat(LANGUAGES, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const MINUTE = new Intl.DateTimeFormat(LANGUAGES, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Such as 21 November 2026. */
export function day(iso: string): HTMLElement {
  return instant(iso, DAY);
}

/** Such as 21 December 2026 at 11:04 CET. */
export function minute(iso: string): HTMLElement {
  return instant(iso, MINUTE);
}

function instant(iso: string, format: Intl.DateTimeFormat): HTMLElement {
  const date = new Date(iso);
  return element('time', { datetime: iso, dir: 'auto', title: formatUtc(date) }, format.format(date));
}

export interface View {
  readonly title: string;
  readonly content: readonly Child[];
  /** The element that gets the focus; by default the heading. */
  readonly focus?: HTMLElement;
}

export function makeShow(main: HTMLElement): (view: View) => void {
  let isFirst = true;
  return ({ title, content, focus }) => {
    const heading = element('h1', { tabindex: '-1' }, title);
    document.title = `${title} · ${sharedWords.product}`;
    main.replaceChildren(heading, ...content.filter((child) => child !== null));
    main.removeAttribute('aria-busy');
    if (focus !== undefined) focus.focus();
    else if (!isFirst) heading.focus();
    isFirst = false;
  };
}

export function showLoading(main: HTMLElement): void {
  const line = (width: string) => element('div', { class: `bone ${width}` });
  main.setAttribute('aria-busy', 'true');
  main.replaceChildren(
    element('h1', {}, words.title),
    element(
      'div',
      { class: 'skeleton' },
      element('p', { class: 'visually-hidden', role: 'status' }, sharedWords.loading),
      line('short'),
      line('long'),
      line('long'),
      line('field-shape'),
      line('field-shape'),
    ),
  );
}
