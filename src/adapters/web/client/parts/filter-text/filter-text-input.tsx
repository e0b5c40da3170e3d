import {
  type KeyboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
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
  readonly isMultiline?: boolean;
  /** An element that suggestions must not cover. */
  readonly below?: RefObject<HTMLElement | null>;
  readonly placeholder?: string;
  /** Suggested while the field is empty. */
  readonly proposals?: readonly CompletionItem[];
  /** Gets the unfinished word at the caret; null if the word is complete. */
  readonly onHalf?: (half: HalfWord | null) => void;
  /** Called on Enter in a single-line field, if no suggestion is taken. */
  readonly onEnter?: () => void;
  readonly onBlur?: () => void;
  /** Gets the focus on Esc; default: the page. */
  readonly leadsTo?: RefObject<HTMLElement | null>;
}

export interface HalfWord {
  readonly from: number;
  readonly to: number;
  /** The suggested completion; null until the server answers. */
  readonly item: CompletionItem | null;
}

const NO_PROPOSALS: readonly CompletionItem[] = [];

export function FilterTextInput(props: FilterTextInputProps) {
  const { label, text, onText, faults, catalog, describedBy, inputRef, isMultiline = false, onHalf } = props;
  const [caret, setCaret] = useState(text.length);
  const [isOpen, setIsOpen] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const marks = useRef<HTMLDivElement>(null);
  const begin = useRef<HTMLSpanElement>(null);
  const nextCaret = useRef<number | null>(null);
  const id = useId();
  const at = Math.min(caret, text.length);
  const { proposals = NO_PROPOSALS } = props;
  const { from, to, items, isHalf } = useCompletion({ text, at, isUsed, catalog, proposals });
  const chosenIndex = items.findIndex(({ insert }) => insert === chosen);
  // An unfinished word marks the first suggestion, so Enter never takes half a word.
  const markedIndex = chosenIndex === -1 && isHalf === true ? 0 : chosenIndex;
  const [isEnterDue, setIsEnterDue] = useState(false);
  const isListed = isOpen && items.length > 0;
  const isBegun = from < at || text[at - 1] === ':';

  // The caret is set in a layout effect, because fast typing outruns an animation frame.
  useLayoutEffect(() => {
    if (nextCaret.current === null) return;
    inputRef.current?.setSelectionRange(nextCaret.current, nextCaret.current);
    nextCaret.current = null;
  });

  const half = isHalf === false ? null : (items[0] ?? UNKNOWN);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onHalf` may be a new function at every render.
  useEffect(() => {
    onHalf?.(half === null ? null : { from, to, item: half === UNKNOWN ? null : half });
  }, [half?.insert, half?.description, from, to]);

  useEffect(() => {
    if (!isEnterDue || isHalf === null) return;
    setIsEnterDue(false);
    enter();
  });

  function enter() {
    const item = isOpen ? items[markedIndex] : undefined;
    if (item !== undefined) return take(item);
    setIsOpen(false);
    props.onEnter?.();
  }

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
    // In a multi-line field, arrows move the caret unless suggestions are listed.
    if (step !== 0 && (isListed || !isMultiline)) {
      event.preventDefault();
      setIsOpen(true);
      const count = items.length;
      if (count > 0) {
        const next = chosenIndex === -1 && step === -1 ? count - 1 : (chosenIndex + step + count) % count;
        setChosen(items[next]?.insert ?? null);
      }
    } else if (key === 'Tab' && isListed && !event.shiftKey && (chosenIndex !== -1 || isBegun)) {
      event.preventDefault();
      take(items[Math.max(markedIndex, 0)] as CompletionItem);
    } else if (key === 'Enter' && (!isMultiline || (isListed && markedIndex !== -1))) {
      event.preventDefault();
      if (isOpen && isHalf === null) setIsEnterDue(true);
      else enter();
    } else if (key === 'Escape' && isListed && text !== '') {
      event.preventDefault();
      event.stopPropagation();
      setIsOpen(false);
    } else if (key === 'Escape') {
      setIsOpen(false);
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
    'aria-activedescendant': isListed && markedIndex !== -1 ? `${id}-list-${markedIndex}` : undefined,
    'aria-invalid': hasFaults || undefined,
    'aria-describedby': describedBy,
    onChange: ({ target }: { readonly target: Field }) => {
      onText(target.value);
      setCaret(target.selectionStart ?? target.value.length);
      setChosen(null);
      setIsEnterDue(false);
      setIsUsed(true);
      setIsOpen(true);
    },
    onSelect: ({ currentTarget }: SyntheticEvent<Field>) =>
      setCaret(currentTarget.selectionStart ?? currentTarget.value.length),
    onScroll: ({ currentTarget }: SyntheticEvent<Field>) => {
      if (marks.current !== null) marks.current.scrollLeft = currentTarget.scrollLeft;
    },
    onKeyDown,
    onFocus: () => {
      setIsUsed(true);
      setIsOpen(text === '' && proposals.length > 0);
    },
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
          chosenIndex={markedIndex}
          begin={begin}
          field={inputRef}
          isMultiline={isMultiline}
          below={props.below}
          onTake={take}
        />
      )}
    </div>
  );
}

const UNKNOWN: CompletionItem = { insert: '', label: '', description: null };
