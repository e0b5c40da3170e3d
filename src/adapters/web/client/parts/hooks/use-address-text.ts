import { useEffect, useRef, useState } from 'react';

export interface AddressText {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Applies the text at once, such as after Enter. */
  readonly apply: (text: string) => void;
  readonly commit: () => void;
}

export interface AddressTextSettings {
  /** The pause before the text is applied, in milliseconds. If null, only `apply` and `commit` apply it. */
  readonly pauseFor: (text: string) => number | null;
  readonly toValue?: (text: string) => string;
}

/** Binds the text of a field to a value in the address. `isFinal` is false if the user only paused. */
export function useAddressText(
  value: string,
  onApply: (value: string, isFinal: boolean) => void,
  { pauseFor, toValue = (text) => text }: AddressTextSettings,
): AddressText {
  const [text, setText] = useState(value);
  const applied = useRef(value);

  // A link or the Back button changed the address.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);

  const send = (next: string, isFinal: boolean) => {
    applied.current = toValue(next);
    onApply(applied.current, isFinal);
  };
  const isApplied = () => toValue(text) === applied.current;

  const pause = pauseFor(text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text restarts the pause.
  useEffect(() => {
    if (pause === null || isApplied()) return;
    const timer = setTimeout(() => {
      // Enter or a link may have applied the text already.
      if (!isApplied()) send(text, false);
    }, pause);
    return () => clearTimeout(timer);
  }, [text, pause]);

  return {
    text,
    setText,
    apply: (next) => send(next, true),
    commit: () => {
      if (!isApplied()) send(text, true);
    },
  };
}
