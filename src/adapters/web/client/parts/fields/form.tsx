import { type FormEvent, useRef, useState } from 'react';
import { Form as AriaForm, type FormProps as AriaFormProps } from 'react-aria-components';
import { ApiError } from '#console/api/http.ts';
import { ignoreHeldEnter } from '#console/keys/press.ts';

export interface FormProps extends Omit<AriaFormProps, 'onSubmit'> {
  /** Further submits are ignored until the promise settles. */
  readonly onSubmit: () => unknown;
}

/** Ignores submits while one runs: browsers submit a form of one field on Enter even if its button is disabled. */
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
    requestAnimationFrame(() => focusFault(form));
  }

  return <AriaForm {...props} ref={watch} onSubmit={(event) => void submit(event)} />;
}

function focusFault(form: HTMLFormElement) {
  if (form.querySelector('[aria-invalid="true"]:focus') !== null) return;
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

function watch(form: HTMLFormElement | null) {
  if (form !== null) ignoreHeldEnter(form);
}

export function faultAt(error: unknown, path: string): string | null {
  if (!(error instanceof ApiError)) return null;
  return error.errors.find((fault) => fault.path === path)?.message ?? null;
}

export interface Sending {
  readonly isSending: boolean;
  readonly fault: unknown;
  /** Does nothing while another action runs. An error becomes `fault`. Resolves to true on success. */
  readonly send: (action: () => Promise<void>) => Promise<boolean>;
  readonly forget: () => void;
}

export function useSending(): Sending {
  const [isSending, setIsSending] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  return {
    isSending,
    fault,
    forget: () => setFault(null),
    send: async (action) => {
      if (isSending) return false;
      setIsSending(true);
      setFault(null);
      try {
        await action();
        return true;
      } catch (error) {
        setFault(error);
        return false;
      } finally {
        setIsSending(false);
      }
    },
  };
}
