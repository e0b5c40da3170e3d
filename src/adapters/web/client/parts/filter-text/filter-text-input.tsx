import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { words } from '#console/app/words.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import type { CompletionItem } from '#domain/filter/text/complete/completion-items.ts';
import styles from './filter-text-input.module.css';
import { splitAtFaults } from './split-at-faults.ts';
import { Suggestions } from './suggestions.tsx';
import { useCompletion } from './use-completion.ts';

type Field = HTMLInputElement | HTMLTextAreaElement;

export interface FilterTextInputProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly faults: readonly { readonly start?: number; readonly end?: number }[];
  readonly catalog: FieldCatalog;
  readonly describedBy: string | undefined;
  readonly inputRef: RefObject<Field | null>;
  /** Grows with its lines. Default: a single line. */
  readonly isMultiline?: boolean;
  readonly placeholder?: string;
  /** Enter while no suggestion is chosen. Multi-line fields add a line instead. */
  readonly onEnter?: () => void;
  readonly onBlur?: () => void;
  /** Where Esc moves the focus; default: the page. */
  readonly leadsTo?: RefObject<HTMLElement | null>;
}

/** Completes at the caret and underlines faults. */
export function FilterTextInput(props: FilterTextInputProps) {
  const { label, text, onText, faults, catalog, describedBy, inputRef, isMultiline = false } = props;
  const [caret, setCaret] = useState(text.length);
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const marks = useRef<HTMLDivElement>(null);
  const begin = useRef<HTMLSpanElement>(null);
  const nextCaret = useRef<number | null>(null);
  const id = useId();
  const at = Math.min(caret, text.length);
  const { from, to, items } = useCompletion({ text, at, isOpen, catalog });
  const chosenIndex = items.findIndex(({ insert }) => insert === chosen);
  const isListed = isOpen && items.length > 0;

  // In a layout effect, because fast typing outruns an animation frame.
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    inputRef.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  const take = (item: CompletionItem) => {
    const isWhole = !/[:=*/[<>]$/.test(item.insert) && to === text.length;
    const insert = isWhole ? `${item.insert} ` : item.insert;
    const next = from + insert.length;
    onText(text.slice(0, from) + insert + text.slice(to));
    setCaret(next);
    nextCaret.current = next;
    setChosen(null);
    setIsOpen(!isWhole);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.metaKey || event.altKey) return;
    const { key } = event;
    if (event.ctrlKey) {
      if (key !== ' ') return;
      event.preventDefault();
      setIsOpen(true);
      return;
    }
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    // In several lines, arrows move the caret unless suggestions are open.
    if (step !== 0 && (isListed || !isMultiline)) {
      event.preventDefault();
      setIsOpen(true);
      const count = items.length;
      if (count > 0) {
        const next = chosenIndex === -1 && step === -1 ? count - 1 : (chosenIndex + step + count) % count;
        setChosen(items[next]?.insert ?? null);
      }
    } else if (key === 'Tab' && isListed && !event.shiftKey) {
      event.preventDefault();
      take(items[Math.max(chosenIndex, 0)] as CompletionItem);
    } else if (key === 'Enter' && isListed && chosenIndex !== -1) {
      event.preventDefault();
      take(items[chosenIndex] as CompletionItem);
    } else if (key === 'Enter' && !isMultiline) {
      event.preventDefault();
      setIsOpen(false);
      props.onEnter?.();
    } else if (key === 'Escape' && isListed) {
      event.preventDefault();
      event.stopPropagation();
      setIsOpen(false);
    } else if (key === 'Escape') {
      // A blur would send keyboard users back to the top of the page.
      (props.leadsTo?.current ?? inputRef.current?.closest('main'))?.focus({ preventScroll: true });
    }
  };

  const hasFaults = faults.length > 0;
  const shared = {
    className: styles.input,
    'aria-label': label,
    placeholder: props.placeholder,
    value: text,
    spellCheck: false,
    autoComplete: 'off',
    autoCapitalize: 'off',
    autoCorrect: 'off',
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': isListed ? `${id}-list` : undefined,
    'aria-activedescendant': isListed && chosenIndex !== -1 ? `${id}-list-${chosenIndex}` : undefined,
    'aria-invalid': hasFaults || undefined,
    'aria-describedby': describedBy,
    onChange: ({ target }: { readonly target: Field }) => {
      onText(target.value);
      setCaret(target.selectionStart ?? target.value.length);
      setChosen(null);
      setIsOpen(true);
    },
    onSelect: ({ currentTarget }: SyntheticEvent<Field>) =>
      setCaret(currentTarget.selectionStart ?? currentTarget.value.length),
    onScroll: ({ currentTarget }: SyntheticEvent<Field>) => {
      if (marks.current !== null) marks.current.scrollLeft = currentTarget.scrollLeft;
    },
    onKeyDown,
    onBlur: () => {
      setIsOpen(false);
      props.onBlur?.();
    },
  } as const;
  return (
    <div className={`${styles.field} ${isMultiline ? styles.lines : styles.line}`}>
      <div ref={marks} className={styles.marks} aria-hidden="true">
        {splitAtFaults(text, faults).map(({ start, piece, isFaulty }) =>
          isFaulty ? <mark key={start}>{piece}</mark> : <span key={start}>{piece}</span>,
        )}{' '}
      </div>
      {isListed && (
        <div className={styles.measure} aria-hidden="true">
          {text.slice(0, from)}
          <span ref={begin} />
        </div>
      )}
      {isMultiline ? (
        <textarea ref={inputRef as RefObject<HTMLTextAreaElement | null>} rows={3} {...shared} />
      ) : (
        <input ref={inputRef as RefObject<HTMLInputElement | null>} type="text" {...shared} />
      )}
      <span className="visually-hidden" role="status">
        {isListed ? words.devices.suggestionCount(items.length) : ''}
      </span>
      {isListed && (
        <Suggestions
          id={`${id}-list`}
          items={items}
          chosenIndex={chosenIndex}
          begin={begin}
          field={inputRef}
          isMultiline={isMultiline}
          from={from}
          text={text}
          onTake={take}
        />
      )}
    </div>
  );
}
