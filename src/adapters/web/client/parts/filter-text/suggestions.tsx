import { type CSSProperties, type Ref, useEffect } from 'react';
import { words } from '#console/app/words.ts';
import { type CompletionItem, toValueItem } from '#domain/filter/text/complete/completion-items.ts';
import styles from './filter-text-input.module.css';

/** In characters; longer descriptions go below the value. */
const MAX_BESIDE = 20;

export interface SuggestionsProps {
  readonly id: string;
  readonly items: readonly CompletionItem[];
  readonly chosenIndex: number;
  /** In pixels, from the corner of the box; null until measured. */
  readonly place: { readonly left: number; readonly top: number } | null;
  readonly onTake: (item: CompletionItem) => void;
  readonly ref: { readonly current: HTMLDivElement | null } & Ref<HTMLDivElement>;
}

/** The field keeps the focus and handles the keys. */
export function Suggestions({ id, items, chosenIndex, place, onTake, ref }: SuggestionsProps) {
  useEffect(() => {
    ref.current?.children[chosenIndex]?.scrollIntoView({ block: 'nearest' });
  }, [chosenIndex, ref]);
  const style = { '--left': `${place?.left ?? 0}px`, '--top': `${place?.top ?? 0}px` } as CSSProperties;
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label={words.devices.suggestions}
      className={styles.list}
      style={place === null ? { ...style, visibility: 'hidden' } : style}
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
          // Keeps the focus in the field.
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
