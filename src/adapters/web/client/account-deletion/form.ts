/** A form that is sent once at a time, and says below its fields what went wrong. */
import { ignoreHeldEnter } from '#console/keys/held-enter.ts';
import { type Child, element } from './element.ts';

export interface FormSettings {
  readonly submitLabel: string;
  readonly buttonKind: 'primary' | 'danger';
  readonly send: () => Promise<void>;
  /** Gives what to say of an error; null where a field says it. */
  readonly explain: (error: unknown) => Node | null;
}

/** The fields stand before the notice and the button. */
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
