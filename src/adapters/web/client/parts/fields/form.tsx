import { type FormEvent, useRef } from 'react';
import { Form as AriaForm, type FormProps as AriaFormProps } from 'react-aria-components';
import { ignoreHeldEnter } from '#console/keys/held-enter.ts';

export interface FormProps extends Omit<AriaFormProps, 'onSubmit'> {
  /** Sends it; where that is a promise, the form is not sent again before it is settled. */
  readonly onSubmit: () => unknown;
}

/**
 * A form that is sent once at a time. Its button alone is no guard: without one, which a pending button is, a browser
 * sends what has a single field all the same.
 */
export function Form({ onSubmit, ...props }: FormProps) {
  const isSending = useRef(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending.current) return;
    const form = event.currentTarget;
    isSending.current = true;
    try {
      await onSubmit();
    } finally {
      isSending.current = false;
    }
    // Once what is wrong is marked.
    requestAnimationFrame(() => focusFault(form));
  }

  return <AriaForm {...props} ref={watch} onSubmit={(event) => void submit(event)} />;
}

/** Whoever sent it goes on at the first field that is wrong, unless they are at one. */
function focusFault(form: HTMLFormElement) {
  if (form.querySelector('[aria-invalid="true"]:focus') !== null) return;
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

function watch(form: HTMLFormElement | null) {
  if (form !== null) ignoreHeldEnter(form);
}
