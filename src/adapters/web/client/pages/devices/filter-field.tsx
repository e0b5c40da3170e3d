import { useQuery } from '@tanstack/react-query';
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { completionQuery, type TextCompletion } from '#console/api/filter-text.ts';
import type { FieldProblem } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/button.tsx';
import { Icon } from '#console/parts/icon.tsx';
import { useDebounced } from '#console/parts/use-debounced.ts';
import { CORE_CATALOG } from '#domain/filter/catalog/field-catalog.ts';
import { completeFilterText } from '#domain/filter/text/complete-filter-text.ts';
import type { CompletionItem } from '#domain/filter/text/completion-items.ts';
import { parseFilterText } from '#domain/filter/text/parse-filter-text.ts';
import { FaultList } from './fault-list.tsx';
import styles from './filter-field.module.css';
import { splitAtFaults } from './split-at-faults.ts';
import { FAULTY_TYPING_PAUSE_MS, TYPING_PAUSE_MS } from './typing-pause.ts';

export interface FilterFieldProps {
  /** What the list is filtered by. */
  readonly value: string;
  /** `isFinal`: the person says that it is complete. */
  readonly onApply: (text: string, isFinal: boolean) => void;
  /** What is wrong with `value`. */
  readonly faults: readonly FieldProblem[];
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onSyntax: () => void;
}

/** The server is asked for values of devices when nothing was typed for so long. */
const COMPLETION_PAUSE_MS = 120;

/** A line of filter text, completed under the caret, with its faults underlined. */
export function FilterField({ value, onApply, faults, inputRef, onSyntax }: FilterFieldProps) {
  const [text, setText] = useState(value);
  const [at, setAt] = useState(value.length);
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const mirror = useRef<HTMLDivElement>(null);
  const applied = useRef(value);
  const id = useId();
  const { from, to, items } = useCompletion(text, at, isOpen);
  const chosenIndex = items.findIndex(({ insert }) => insert === chosen);
  const isListed = isOpen && items.length > 0;

  // A link, a chip or the browser's way back has changed it.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
    setAt(value.length);
  }, [value]);

  const apply = (next: string, isFinal: boolean) => {
    applied.current = next;
    onApply(next, isFinal);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text begins the pause anew.
  useEffect(() => {
    if (text === applied.current) return;
    const timer = setTimeout(
      () => apply(text, false),
      isReadable(text) ? TYPING_PAUSE_MS : FAULTY_TYPING_PAUSE_MS,
    );
    return () => clearTimeout(timer);
  }, [text]);

  const write = (next: string, caret: number) => {
    setText(next);
    setAt(caret);
    // Behind React's own setting of the value.
    requestAnimationFrame(() => inputRef.current?.setSelectionRange(caret, caret));
  };

  const take = (item: CompletionItem) => {
    const isWhole = !/[:=*/[<>]$/.test(item.insert) && to === text.length;
    const insert = isWhole ? `${item.insert} ` : item.insert;
    write(text.slice(0, from) + insert + text.slice(to), from + insert.length);
    setChosen(null);
    setIsOpen(!isWhole);
  };

  const mend = (fault: FieldProblem, suggestion: string) => {
    const { start = 0, end = 0 } = fault;
    const next = text.slice(0, start) + suggestion + text.slice(end);
    write(next, start + suggestion.length);
    apply(next, true);
    inputRef.current?.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setIsOpen(true);
      const count = items.length;
      if (count > 0) {
        const next = chosenIndex === -1 && step === -1 ? count - 1 : (chosenIndex + step + count) % count;
        setChosen(items[next]?.insert ?? null);
      }
    } else if (event.key === 'Tab' && isListed && !event.shiftKey) {
      event.preventDefault();
      take(items[Math.max(chosenIndex, 0)] as CompletionItem);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isListed && chosenIndex !== -1) return take(items[chosenIndex] as CompletionItem);
      setIsOpen(false);
      apply(text, true);
    } else if (event.key === 'Escape' && isListed) {
      event.preventDefault();
      event.stopPropagation();
      setIsOpen(false);
    } else if (event.key === 'Escape') {
      inputRef.current?.blur();
    }
  };

  const shownFaults = text === value ? faults : [];
  const hasFaults = shownFaults.length > 0;
  return (
    <div className={styles.field}>
      <div className={styles.box} data-invalid={hasFaults || undefined}>
        <Icon name="search" />
        <div className={styles.line}>
          <div ref={mirror} className={styles.mirror} aria-hidden="true">
            {splitAtFaults(text, shownFaults).map(({ start, piece, isFaulty }) =>
              isFaulty ? <mark key={start}>{piece}</mark> : <span key={start}>{piece}</span>,
            )}
          </div>
          <input
            ref={inputRef}
            type="text"
            className={styles.input}
            aria-label={words.devices.filter}
            placeholder={words.devices.filterHint}
            value={text}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            autoCorrect="off"
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={isListed ? `${id}-list` : undefined}
            aria-activedescendant={isListed && chosenIndex !== -1 ? `${id}-${chosenIndex}` : undefined}
            aria-invalid={hasFaults || undefined}
            aria-describedby={hasFaults ? `${id}-faults` : undefined}
            onChange={({ target }) => {
              setText(target.value);
              setAt(target.selectionStart ?? target.value.length);
              setChosen(null);
              setIsOpen(true);
            }}
            onSelect={({ currentTarget }) =>
              setAt(currentTarget.selectionStart ?? currentTarget.value.length)
            }
            onScroll={({ currentTarget }) => {
              if (mirror.current !== null) mirror.current.scrollLeft = currentTarget.scrollLeft;
            }}
            onKeyDown={onKeyDown}
            onBlur={() => {
              setIsOpen(false);
              if (text !== applied.current) apply(text, true);
            }}
          />
        </div>
        {text !== '' && (
          <Button
            kind="quiet"
            isCompact
            aria-label={words.devices.clear}
            onPress={() => {
              write('', 0);
              apply('', true);
              inputRef.current?.focus();
            }}
          >
            <Icon name="close" />
          </Button>
        )}
        <Button kind="quiet" isCompact aria-label={words.devices.syntax} onPress={onSyntax}>
          <Icon name="help" />
        </Button>
      </div>
      <span className="visually-hidden" role="status">
        {isListed ? words.devices.suggestionCount(items.length) : ''}
      </span>
      {isListed && (
        <Suggestions
          id={id}
          items={items}
          chosenIndex={chosenIndex}
          // The letters are all as wide as `0`.
          left={`clamp(0px, ${from}ch + 40px, 100% - 420px)`}
          onTake={take}
        />
      )}
      <FaultList id={`${id}-faults`} faults={shownFaults} text={text} onMend={mend} />
    </div>
  );
}

interface SuggestionsProps {
  readonly id: string;
  readonly items: readonly CompletionItem[];
  readonly chosenIndex: number;
  readonly left: string;
  readonly onTake: (item: CompletionItem) => void;
}

function Suggestions({ id, items, chosenIndex, left, onTake }: SuggestionsProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[chosenIndex]?.scrollIntoView({ block: 'nearest' });
  }, [chosenIndex]);
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={words.devices.suggestions}
      className={styles.list}
      style={{ '--left': left } as CSSProperties}
    >
      {items.map((item, i) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the option.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys.
        <div
          key={item.insert}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === chosenIndex}
          data-first={(i === 0 && chosenIndex === -1) || undefined}
          className={styles.option}
          // The field must not lose the focus by it.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
        >
          <code>{item.insert}</code>
          {item.label !== item.insert && <span>{item.label}</span>}
          {item.description !== null && <small>{item.description}</small>}
        </div>
      ))}
    </div>
  );
}

/** What the catalogue proposes at once; what devices have as soon as the server has told. */
function useCompletion(text: string, at: number, isOpen: boolean): TextCompletion {
  const begun = useMemo(() => completeFilterText(text, at, CORE_CATALOG), [text, at]);
  const settled = useDebounced(`${at} ${text}`, COMPLETION_PAUSE_MS);
  const isSettled = settled === `${at} ${text}`;
  const { data } = useQuery({
    ...completionQuery(useApi(), text, at),
    ...((!isOpen || !isSettled) && { enabled: false }),
  });
  const { from, to, items } = data ?? begun;
  const written = text.slice(from, to);
  return { from, to, items: items.filter(({ insert }) => insert !== written) };
}

/** Whether it is a filter as far as this browser knows; custom fields and names only the server does. */
function isReadable(text: string): boolean {
  return text.trim() === '' || parseFilterText(text, CORE_CATALOG, () => [ANY_ID]).ok;
}

const ANY_ID = '00000000-0000-7000-8000-000000000000';
