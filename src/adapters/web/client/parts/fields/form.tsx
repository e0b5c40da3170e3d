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

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending.current) return;
    isSending.current = true;
    try {
      await onSubmit();
    } finally {
      isSending.current = false;
    }
  }

  return <AriaForm {...props} ref={watch} onSubmit={(event) => void submit(event)} />;
}

function watch(form: HTMLFormElement | null) {
  if (form !== null) ignoreHeldEnter(form);
}
