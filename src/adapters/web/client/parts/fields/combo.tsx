import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import { Icon } from '#console/parts/display/icon.tsx';
import styles from './combo.module.css';

export interface ComboItem {
  readonly id: string;
  readonly label: string;
  /** Shown beside the label, and searched too. */
  readonly detail?: string;
  /** Items of a section must be adjacent. */
  readonly section?: string;
  /** True if the item is only the typed text. */
  readonly isOther?: boolean;
}

export interface ComboProps {
  readonly label: string;
  readonly value: string | null;
  /** The text of a value that no item has; default: the id. */
  readonly valueText?: string;
  readonly items: readonly ComboItem[];
  readonly onChange: (id: string) => void;
  /** If given, the caller loads and filters the items. */
  readonly onType?: (text: string) => void;
  /** If given, texts that are not items are accepted too. */
  readonly onOther?: (text: string) => void;
  /** Items for the typed text are loading. */
  readonly isAsking?: boolean;
  /**
   * If given, the caller stores the text. If `onOther` is absent, any text is allowed, and items are only suggestions.
   */
  readonly onText?: (text: string) => void;
  readonly onBackspace?: () => void;
  readonly onPasteLines?: (lines: readonly string[]) => void;
  readonly placeholder?: string;
  readonly emptyText?: string;
  readonly isInvalid?: boolean;
  readonly isBare?: boolean;
  readonly hasFocusAtFirst?: boolean;
  readonly describedBy?: string | undefined;
}

/** Follows the WAI-ARIA APG. A closed list renders no items, because a page can have hundreds of fields. */
export function Combo(props: ComboProps) {
  const { items, value, onChange, onType, onOther, onText, emptyText } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  /** Null shows the chosen item. */
  const [text, setText] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  /** The item chosen with the arrow keys. If null, the item that fits the typed text is marked. */
  const [chosen, setChosen] = useState<number | null>(null);
  const [isEnterDue, setIsEnterDue] = useState(false);

  const chosenText =
    value === null ? '' : (items.find((item) => item.id === value)?.label ?? props.valueText ?? value);
  const typed = (onText === undefined ? (text ?? '') : chosenText).trim();
  const isFree = onText !== undefined && onOther === undefined;
  const exact = items.find(({ id, label }) => [id, label].some((name) => isSame(name, typed)));
  const found = isOpen ? (onType === undefined ? findItems(items, typed) : items) : [];
  const shown = onOther === undefined ? found : withOther(found, typed);
  // Enter takes the marked item. In a free text field, none is marked until one is chosen.
  const marked = typed === '' || isFree ? -1 : Math.max(0, exact === undefined ? 0 : found.indexOf(exact));
  const active = Math.min(chosen ?? marked, shown.length - 1);
  const isListed = isOpen && (shown.length > 0 || (emptyText !== undefined && typed !== ''));

  useEffect(() => {
    if (active >= 0)
      list.current?.querySelector(`[data-index="${active}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  function open() {
    setIsOpen(true);
    setChosen(null);
    onType?.(text ?? (onText === undefined ? '' : chosenText));
  }

  function close() {
    setIsOpen(false);
    setChosen(null);
    setIsEnterDue(false);
  }

  function take(item: ComboItem) {
    setText(null);
    close();
    if (item.isOther === true) onOther?.(item.id);
    else onChange(item.id);
  }

  /** `isWanted` is false if the field only lost the focus. A half-typed word is then not taken. */
  function settle(isWanted: boolean) {
    close();
    if (isFree || (!isWanted && (onText !== undefined || shown.at(-1)?.isOther === true))) return;
    setText(null);
    if (typed === '') return;
    if (exact !== undefined) onChange(exact.id);
    else onOther?.(typed);
  }

  function enter() {
    const item = shown[active];
    if (item === undefined) settle(true);
    else take(item);
  }

  useEffect(() => {
    if (!isEnterDue || props.isAsking === true) return;
    setIsEnterDue(false);
    enter();
  });

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (!isOpen) return open();
      const step = key === 'ArrowDown' ? 1 : -1;
      // With `onOther`, the first arrow key chooses the first or the last item.
      const from = chosen ?? (onOther === undefined ? active : -1);
      const next = from === -1 && step === -1 ? shown.length - 1 : from + step;
      if (shown.length > 0) setChosen((next + shown.length) % shown.length);
    } else if (key === 'Enter') {
      if (!isOpen && typed === '') return;
      if (isFree && active < 0) return close();
      event.preventDefault();
      if (isOpen && props.isAsking === true && chosen === null) setIsEnterDue(true);
      else enter();
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault();
      event.stopPropagation();
      setText(null);
      close();
    } else if (key === 'Backspace' && (text ?? '') === '' && value === null) props.onBackspace?.();
  }

  return (
    <div
      className={`${styles.combo} ${props.isBare === true ? styles.bare : onText === undefined ? styles.choice : ''}`}
    >
      <input
        className={`control ${styles.input}`}
        role="combobox"
        aria-label={props.label}
        aria-autocomplete="list"
        aria-expanded={isListed}
        aria-controls={`${id}-list`}
        {...(active >= 0 && { 'aria-activedescendant': `${id}-${active}` })}
        {...(props.isInvalid === true && { 'aria-invalid': true })}
        {...(props.describedBy !== undefined && { 'aria-describedby': props.describedBy })}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the user has just added this field.
        autoFocus={props.hasFocusAtFirst}
        placeholder={props.placeholder}
        value={text ?? chosenText}
        onChange={(event) => {
          const { value: next } = event.target;
          if (onText === undefined) setText(next);
          else onText(next);
          setIsOpen(true);
          setChosen(null);
          setIsEnterDue(false);
          onType?.(next);
        }}
        onClick={() => (isOpen ? undefined : open())}
        onFocus={(event) => event.target.select()}
        onBlur={() => settle(false)}
        onKeyDown={onKeyDown}
        onPaste={(event) => {
          const lines = event.clipboardData
            .getData('text')
            .split(/[\r\n\t]+/)
            .filter((line) => line.trim() !== '');
          if (props.onPasteLines === undefined || lines.length < 2) return;
          event.preventDefault();
          props.onPasteLines(lines);
        }}
      />
      {props.isBare !== true && onText === undefined && <Icon name="down" />}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        // Keeps browsers from making the scrollable list a tab stop.
        tabIndex={-1}
        aria-label={onText === undefined ? props.label : words.devices.suggestions}
        className={`floating ${styles.list}`}
        hidden={!isListed}
        onMouseDown={(event) => event.preventDefault()}
      >
        {shown.map((item, i) => (
          <div key={item.id} role="presentation">
            {item.section !== undefined && item.section !== shown[i - 1]?.section && (
              <div role="presentation" className={styles.section}>
                {item.section}
              </div>
            )}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys. */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the field names it by aria-activedescendant. */}
            <div
              id={`${id}-${i}`}
              role="option"
              aria-selected={item.id === value}
              data-index={i}
              data-active={i === active || undefined}
              className={`option ${styles.item}`}
              onClick={() => take(item)}
              onPointerMove={() => setChosen(i)}
            >
              <span>{item.label}</span>
              {item.detail !== undefined && <span className={styles.detail}>{item.detail}</span>}
            </div>
          </div>
        ))}
        {isListed && shown.length === 0 && <div className={styles.empty}>{emptyText}</div>}
      </div>
    </div>
  );
}

/** Adds the typed text as the last item. If no item matches, the list stays empty, and Enter takes the text. */
function withOther(found: readonly ComboItem[], typed: string): readonly ComboItem[] {
  const isKnown = found.some(({ id, label }) => id === typed || label === typed);
  if (found.length === 0 || typed === '' || isKnown) return found;
  return [...found, { id: typed, label: words.filters.other(typed), isOther: true }];
}

function isSame(name: string, typed: string): boolean {
  return name.toLowerCase() === typed.toLowerCase();
}

function findItems(items: readonly ComboItem[], text: string): readonly ComboItem[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return items;
  const found = items.flatMap((item) => {
    const names = [item.label, item.detail ?? '', item.id].map((name) => name.toLowerCase());
    if (names.some((name) => name === wanted)) return [{ item, rank: 0 }];
    if (names.some((name) => name.startsWith(wanted))) return [{ item, rank: 1 }];
    return names.some((name) => name.includes(wanted)) ? [{ item, rank: 2 }] : [];
  });
  return found.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}
