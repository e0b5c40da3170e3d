import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { FieldProblem } from '#console/api/http.ts';
import { words } from '#console/app/words.ts';
import { FAULTY_TYPING_PAUSE_MS, TYPING_PAUSE_MS } from '#console/pages/search.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { FaultList } from '#console/parts/filter-text/fault-list.tsx';
import { FilterTextInput, type HalfWord } from '#console/parts/filter-text/filter-text-input.tsx';
import { useAddressText } from '#console/parts/hooks/use-address-text.ts';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { halfKeyAtEnd } from '#domain/filter/text/complete/half-words.ts';
import { parseFilterText } from '#domain/filter/text/parse/parse-filter-text.ts';
import styles from './filter-field.module.css';
import { FilterHint } from './filter-hint.tsx';

export interface FilterFieldProps {
  readonly value: string;
  /** `isFinal` is false if the user only paused. */
  readonly onApply: (text: string, isFinal: boolean) => void;
  readonly faults: readonly FieldProblem[];
  readonly catalog: FieldCatalog;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** Gets the focus on Esc. */
  readonly list: RefObject<HTMLElement | null>;
  readonly onSyntax: () => void;
  /** Called when the text becomes unfinished or finished. Unfinished text does not change the list. */
  readonly onHalf: (isHalf: boolean) => void;
  /** If the page shows a list, faults and hints overlay the page, so the list does not move. */
  readonly hasList: boolean;
  /** Shown below the field. The content keeps its space while faults or hints cover it. */
  readonly children: ReactNode;
}

export function FilterField(props: FilterFieldProps) {
  const { value, onApply, faults, catalog, inputRef, onSyntax, onHalf, children } = props;
  const id = useId();
  const said = useRef<HTMLDivElement>(null);
  const [atCaret, setAtCaret] = useState<HalfWord | null>(null);
  const { text, setText, apply, commit } = useAddressText(value, onApply, {
    pauseFor: (typed) => {
      // Faulty text is applied even if a word is unfinished, because it does not change the list.
      if (!isReadable(typed, catalog)) return FAULTY_TYPING_PAUSE_MS;
      return atCaret === null && halfKeyAtEnd(typed, catalog) === null ? TYPING_PAUSE_MS : null;
    },
  });
  const half = useMemo(
    () => (isReadable(text, catalog) ? (atCaret ?? halfKeyAtEnd(text, catalog)) : null),
    [atCaret, text, catalog],
  );
  const isPending = half !== null && text !== value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onHalf` may be a new function at every render.
  useEffect(() => onHalf(isPending), [isPending]);

  const put = (next: string) => {
    setText(next);
    apply(next);
    inputRef.current?.focus();
  };

  const shownFaults = text === value ? faults : [];
  const hasFaults = shownFaults.length > 0;
  const isSaid = hasFaults || isPending;
  return (
    <div className={styles.field}>
      <div className={styles.box} data-invalid={hasFaults || undefined}>
        <Icon name="search" />
        <div className={styles.line}>
          <FilterTextInput
            label={words.devices.filter}
            placeholder={words.devices.filterHint}
            text={text}
            onText={setText}
            faults={shownFaults}
            catalog={catalog}
            describedBy={hasFaults ? `${id}-faults` : undefined}
            inputRef={inputRef}
            leadsTo={props.list}
            below={said}
            proposals={PROPOSALS}
            onHalf={setAtCaret}
            onEnter={() => apply(text)}
            onBlur={() => {
              if (half === null) commit();
            }}
          />
        </div>
        {text !== '' && (
          <Button kind="quiet" isCompact aria-label={words.devices.clear} onPress={() => put('')}>
            <Icon name="close" />
          </Button>
        )}
        <Button kind="quiet" isCompact aria-label={words.devices.syntax} onPress={onSyntax}>
          <Icon name="help" />
        </Button>
      </div>
      <div ref={said} className={styles.below}>
        <div className={`row ${styles.hints}`} inert={isSaid}>
          {children}
          {!isSaid && text === value && <FilterHint text={text} half={half} catalog={catalog} onPut={put} />}
        </div>
        {isSaid && (
          <div className={`row ${props.hasList ? styles.over : ''}`}>
            {hasFaults ? (
              <FaultList id={`${id}-faults`} faults={shownFaults} text={text} onMend={put} />
            ) : (
              <FilterHint text={text} half={half} catalog={catalog} onPut={put} />
            )}
          </div>
        )}
      </div>
    </div>
  );
}

/** Accepts any name of an organization or site; only the server can check it. */
function isReadable(text: string, catalog: FieldCatalog): boolean {
  return text.trim() === '' || parseFilterText(text, catalog, () => [ANY_ID]).ok;
}

const ANY_ID = '00000000-0000-7000-8000-000000000000';

const PROPOSALS = words.devices.proposals.map((proposal) => ({ ...proposal, description: null }));
