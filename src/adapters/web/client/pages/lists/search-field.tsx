import { useEffect, useRef, useState } from 'react';
import { SearchField as AriaSearchField, Input } from 'react-aria-components';
import { Icon } from '#console/parts/display/icon.tsx';
import styles from './search-field.module.css';

export interface SearchFieldProps {
  readonly label: string;
  /** What the address says. */
  readonly value: string;
  /** Called when the typing rests. */
  readonly onChange: (value: string) => void;
}

/** Milliseconds without a key after which it is searched. */
const REST_MS = 200;

/** A search that stands in the address. Esc empties it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);

  // Somebody has gone back, or followed a link.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  useEffect(() => {
    if (text.trim() === sent.current) return;
    const rest = setTimeout(() => {
      sent.current = text.trim();
      onChange(sent.current);
    }, REST_MS);
    return () => clearTimeout(rest);
  }, [text, onChange]);

  return (
    <AriaSearchField aria-label={label} value={text} onChange={setText} className={styles.field}>
      <Icon name="search" />
      <Input className={styles.input} placeholder={label} />
    </AriaSearchField>
  );
}
