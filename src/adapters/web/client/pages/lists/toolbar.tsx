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
    <div className={`row ${styles.toolbar}`}>
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

/** The typed text becomes the search parameter `search`. */
export function NarrowingSearch({
  label,
  value,
}: {
  readonly label: string;
  readonly value?: string | undefined;
}) {
  const narrow = useNarrow();
  return (
    <SearchField
      label={label}
      value={value ?? ''}
      onChange={(text) => narrow({ search: text === '' ? undefined : text })}
    />
  );
}

interface NarrowingSelectProps {
  readonly label: string;
  /** The search parameter to set. */
  readonly name: string;
  readonly any: string;
  readonly options: Readonly<Record<string, string>>;
  readonly value: string | undefined;
}

const ANY = 'any';

export function NarrowingSelect({ label, name, any, options, value }: NarrowingSelectProps) {
  const narrow = useNarrow();
  return (
    <Dropdown
      label={label}
      isLabelHidden
      value={value ?? ANY}
      onChange={(chosen) => narrow({ [name]: chosen === ANY ? undefined : chosen })}
    >
      {optionsOf({ [ANY]: any, ...options })}
    </Dropdown>
  );
}

/** An undefined value removes the parameter. With `isStep`, the Back button undoes the change. */
export function useNarrow() {
  const navigate = useNavigate();
  return (changes: Readonly<Record<string, string | undefined>>, isStep = false) =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, ...changes }) as object,
      replace: !isStep,
      resetScroll: false,
    });
}
