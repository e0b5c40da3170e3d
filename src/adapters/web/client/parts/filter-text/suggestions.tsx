import { type CSSProperties, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { words } from '#console/app/words.ts';
import { type CompletionItem, toValueItem } from '#domain/filter/text/complete/completion-items.ts';
import styles from './filter-text-input.module.css';

/** In pixels, between the text and the list. */
const GAP = 6;

/** In characters; longer descriptions go below the value. */
const MAX_BESIDE = 20;

export interface SuggestionsProps {
  readonly id: string;
  readonly items: readonly CompletionItem[];
  readonly chosenIndex: number;
  /** An element at the start of the text that the suggestion replaces. */
  readonly begin: RefObject<HTMLElement | null>;
  readonly field: RefObject<HTMLElement | null>;
  /** An element below the field. The list is placed below its children, so that it does not cover them. */
  readonly below: RefObject<HTMLElement | null> | undefined;
  readonly isMultiline: boolean;
  readonly onTake: (item: CompletionItem) => void;
}

/** The field keeps the focus and handles the keys. */
export function Suggestions(props: SuggestionsProps) {
  const { id, items, chosenIndex, begin, field, below, isMultiline, onTake } = props;
  const list = useRef<HTMLDivElement>(null);
  /** In pixels; null until measured. */
  const [place, setPlace] = useState<{ readonly left: number; readonly top: number } | null>(null);

  useEffect(() => {
    list.current?.children[chosenIndex]?.scrollIntoView({ block: 'nearest' });
  }, [chosenIndex]);

  // Runs at every render, because text and the content below the field move the list.
  useLayoutEffect(() => {
    const box = list.current?.offsetParent;
    if (box == null || list.current === null || begin.current === null || field.current === null) return;
    const letter = begin.current.getBoundingClientRect();
    const { left, top, width } = box.getBoundingClientRect();
    const room = Math.max(0, width - list.current.offsetWidth);
    const line = isMultiline ? letter : field.current.getBoundingClientRect();
    const said = Array.from(below?.current?.children ?? [], (part) => part.getBoundingClientRect());
    const lowest = Math.max(line.bottom, ...said.map(({ bottom, height }) => (height > 0 ? bottom : 0)));
    const next = {
      left: Math.min(Math.max(letter.left - left - field.current.scrollLeft, 0), room),
      top: lowest - top + GAP,
    };
    if (place?.left !== next.left || place.top !== next.top) setPlace(next);
  });

  const style = { '--left': `${place?.left ?? 0}px`, '--top': `${place?.top ?? 0}px` } as CSSProperties;
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      // Keeps browsers from making the scrollable list a tab stop.
      tabIndex={-1}
      aria-label={words.devices.suggestions}
      className={`floating ${styles.list}`}
      style={place === null ? { ...style, visibility: 'hidden' } : style}
    >
      {items.map((item, i) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the option.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        <div
          key={item.insert}
          id={`${id}-${i}`}
          role="option"
          aria-selected={i === chosenIndex}
          className={styles.option}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onTake(item)}
        >
          <code>{item.insert}</code>
          {/* Quoted values need no label. */}
          {item.insert !== toValueItem(item.label).insert && <span>{item.label}</span>}
          {item.description !== null && (
            <small className={item.description.length > MAX_BESIDE ? styles.sentence : styles.figure}>
              {item.description}
            </small>
          )}
        </div>
      ))}
    </div>
  );
}
