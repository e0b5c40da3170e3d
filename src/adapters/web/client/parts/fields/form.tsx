import { type FormEvent, useRef, useState } from 'react';
import { Form as AriaForm, type FormProps as AriaFormProps } from 'react-aria-components';
import { ApiError } from '#console/api/http.ts';
import { ignoreHeldEnter } from '#console/keys/press.ts';

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

/** What the API says is wrong with one member of what was sent; null where it does not complain about it. */
export function faultAt(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.errors.find((fault) => fault.path === path)?.message ?? null;
}

interface Sending {
  readonly isSending: boolean;
  /** What went wrong the last time; null if nothing did. */
  readonly fault: unknown;
  /** Does it, unless it is under way. A fault is kept, and nothing else happens. */
  readonly send: (action: () => Promise<void>) => Promise<void>;
  readonly forget: () => void;
}

/** What a form or a dialog sends: one thing at a time, and what came of it. */
export function useSending(): Sending {
  const [isSending, setIsSending] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  return {
    isSending,
    fault,
    forget: () => setFault(null),
    send: async (action) => {
      if (isSending) return;
      setIsSending(true);
      setFault(null);
      try {
        await action();
      } catch (error) {
        setFault(error);
      } finally {
        setIsSending(false);
      }
    },
  };
}
