import { getRouteApi } from '@tanstack/react-router';
import { words } from '#console/app/words.ts';
import { useNarrow } from '#console/pages/lists/toolbar.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { useAddressText } from '#console/parts/hooks/use-address-text.ts';
import type { AuditAction } from '#domain/audit/audit-entry.ts';
import styles from './audit-log-page.module.css';
import { ACTION_WORDS, titleOfAction } from './audit-sentences.ts';

const route = getRouteApi('/shell/admin/audit-log');

const said = words.administration.audit;

const ACTIONS = {
  '': said.anyAction,
  ...Object.fromEntries(
    (Object.keys(ACTION_WORDS) as AuditAction[])
      .map((action) => [action, titleOfAction(action)] as const)
      .sort(([, a], [, b]) => a.localeCompare(b, 'en')),
  ),
};

const RESULTS = { '': said.anyResult, success: said.results.success, denied: said.deniedOrUnfinished };

export function AuditFilters({ error }: { readonly error: unknown }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const narrow = useNarrow();
  const isFiltered = Object.keys(search).some((name) => name !== 'org');

  return (
    // biome-ignore lint/a11y/useSemanticElements: React Aria's fields need no form of their own.
    <div role="search" aria-label={said.filters} className={styles.filters}>
      <Dropdown label={said.action} value={search.action ?? ''} onChange={(action) => narrow({ action })}>
        {optionsOf(ACTIONS)}
      </Dropdown>
      <LateField
        label={said.actor}
        hint={said.actorHint}
        value={search.actor ?? ''}
        error={faultAt(error, 'actor') && said.actorTooShort}
        onCommit={(actor) => narrow({ actor })}
      />
      <Dropdown label={said.result} value={search.result ?? ''} onChange={(result) => narrow({ result })}>
        {optionsOf(RESULTS)}
      </Dropdown>
      {(['from', 'to'] as const).map((end) => (
        <TextField
          key={end}
          label={said[end]}
          hint={said.days}
          type="date"
          value={search[end] ?? ''}
          error={faultAt(error, end)}
          onChange={(day) => narrow({ [end]: day })}
        />
      ))}
      {isFiltered && (
        <Button className={styles.clear} onPress={() => void navigate({ search: {} })}>
          {said.clear}
        </Button>
      )}
    </div>
  );
}

interface LateFieldProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly error: string | null;
  readonly onCommit: (value: string) => void;
}

/** Commits on Enter or when the focus leaves, because half a name would find nothing. */
function LateField({ label, hint, value, error, onCommit }: LateFieldProps) {
  const { text, setText, commit } = useAddressText(value, onCommit, {
    pauseFor: () => null,
    toValue: (typed) => typed.trim(),
  });
  return (
    <TextField
      label={label}
      hint={hint}
      value={text}
      error={error}
      onChange={setText}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
      autoComplete="off"
      spellCheck="false"
    />
  );
}
