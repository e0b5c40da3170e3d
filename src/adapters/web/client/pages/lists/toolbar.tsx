import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { SearchField as AriaSearchField, Input } from 'react-aria-components';
import { Icon } from '#console/parts/display/icon.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import field from '#console/parts/fields/text-field.module.css';
import { useAddressText } from '#console/parts/hooks/use-address-text.ts';
import styles from './toolbar.module.css';

export function Toolbar({ children, end }: { readonly children: ReactNode; readonly end?: ReactNode }) {
  return (
    <div className={styles.toolbar}>
      {children}
      {end !== undefined && <div className={styles.end}>{end}</div>}
    </div>
  );
}

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const REST_MS = 200;

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const { text, setText } = useAddressText(value, onChange, {
    pauseFor: () => REST_MS,
    toValue: (typed) => typed.trim(),
  });

  return (
    <AriaSearchField aria-label={label} value={text} onChange={setText} className={styles.field}>
      <Icon name="search" />
      <Input className={`control ${field.input} ${styles.input}`} placeholder={label} />
    </AriaSearchField>
  );
}

interface NarrowingSelectProps<T extends string> {
  readonly label: string;
  readonly any: string;
  readonly options: Readonly<Record<T, string>>;
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
}

const ANY = 'any';

export function NarrowingSelect<T extends string>(props: NarrowingSelectProps<T>) {
  const { label, any, options, value, onChange } = props;
  return (
    <Dropdown
      label={label}
      isLabelHidden
      value={value ?? ANY}
      onChange={(chosen) => onChange(chosen === ANY ? undefined : (chosen as T))}
    >
      {optionsOf({ [ANY]: any, ...options })}
    </Dropdown>
  );
}

/** Undefined removes a parameter. */
export function useNarrow(): (changes: Readonly<Record<string, string | undefined>>) => void {
  const navigate = useNavigate();
  return (changes) =>
    void navigate({ to: '.', search: (search) => ({ ...search, ...changes }) as object, replace: true });
}
