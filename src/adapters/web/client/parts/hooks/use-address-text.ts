import { useEffect, useRef, useState } from 'react';

export interface AddressText {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Applies a text at once, such as the one where Enter was pressed. */
  readonly apply: (text: string) => void;
  /** Applies what is typed, if it has not been applied yet. */
  readonly commit: () => void;
}

export interface AddressTextSettings {
  /** Milliseconds without a key before the text is applied; null: only `apply` and `commit` do. */
  readonly pauseFor: (text: string) => number | null;
  /** What the address holds for a text. */
  readonly toValue?: (text: string) => string;
}

/** A text field whose value lives in the address. `isFinal`: the person said that the text is complete. */
export function useAddressText(
  value: string,
  onApply: (value: string, isFinal: boolean) => void,
  { pauseFor, toValue = (text) => text }: AddressTextSettings,
): AddressText {
  const [text, setText] = useState(value);
  const applied = useRef(value);

  // A link or the back button has changed the address.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text restarts the pause.
  useEffect(() => {
    const pause = isApplied() ? null : pauseFor(text);
    if (pause === null) return;
    const timer = setTimeout(() => {
      // Enter may have applied it already, and a link may have led elsewhere since.
      if (!isApplied()) send(text, false);
    }, pause);
    return () => clearTimeout(timer);
  }, [text]);

  return {
    text,
    setText,
    apply: (next) => send(next, true),
    commit: () => {
      if (!isApplied()) send(text, true);
    },
  };
}
