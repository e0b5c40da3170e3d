import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { deviceCountQuery } from '#console/api/devices.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Button } from '#console/parts/actions/button.tsx';
import type { HalfWord } from '#console/parts/filter-text/filter-text-input.tsx';
import type { FieldCatalog } from '#domain/filter/catalog/field-catalog.ts';
import { findMeaning } from '#domain/filter/text/complete/half-words.ts';
import { quote } from '#domain/filter/text/text-keys.ts';
import styles from './filter-field.module.css';

export interface FilterHintProps {
  readonly text: string;
  /** The unfinished word. The search waits until it is finished. */
  readonly half: HalfWord | null;
  readonly catalog: FieldCatalog;
  readonly onPut: (text: string) => void;
}

/** Suggests `os:windows` for the bare word `windows`, and a completion for an unfinished word. */
export function FilterHint({ text, half, catalog, onPut }: FilterHintProps) {
  const { org = null } = useSearch({ strict: false });
  const meaning = half === null ? findMeaning(text, catalog) : null;
  const meant = meaning === null ? null : replaced(text, meaning, meaning.insert);
  const { data: count } = useQuery({
    ...deviceCountQuery(useApi(), { q: meant ?? '' }, org),
    enabled: meant !== null,
  });
  if (meaning !== null && meant !== null) {
    return (
      <Hint
        written={text.slice(meaning.from, meaning.to)}
        insert={meaning.insert}
        count={count === undefined ? null : words.devices.count(count)}
        onUse={() => onPut(meant)}
      />
    );
  }
  if (half === null || half.item === null) return null;
  const { from, to, item } = half;
  const written = text.slice(from, to);
  const isKey = item.insert.endsWith(':');
  const word = text[from - 1] === ':' ? written : quote(written);
  return (
    <>
      <Hint
        written={written}
        insert={item.insert}
        count={isKey ? null : item.description}
        onUse={() => onPut(replaced(text, half, item.insert))}
      />
      {isKey && (
        <Button kind="quiet" isCompact onPress={() => onPut(replaced(text, half, word))}>
          {words.devices.searchNames(written)}
        </Button>
      )}
    </>
  );
}

interface HintProps {
  readonly written: string;
  readonly insert: string;
  readonly count: string | null;
  readonly onUse: () => void;
}

function Hint({ written, insert, count, onUse }: HintProps) {
  return (
    <Button isCompact className={styles.hint} onPress={onUse}>
      <span>
        <code>{written}</code>
        {words.devices.didYouMean} <code>{insert}</code>?{count !== null && ` ${count}`}
      </span>
    </Button>
  );
}

function replaced(text: string, { from, to }: { readonly from: number; readonly to: number }, by: string) {
  return text.slice(0, from) + by + text.slice(to);
}
