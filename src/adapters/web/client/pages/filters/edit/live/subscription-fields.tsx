import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { SavedFilter } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { peopleWithAccessQuery } from '#console/api/people.ts';
import { useApi } from '#console/app/services.ts';
import { holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { ChipsField } from '#console/parts/fields/chips-field.tsx';
import type { ComboItem } from '#console/parts/fields/combo.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import field from '#console/parts/fields/text-field.module.css';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { USERS_WRITE } from '#domain/access/permission.ts';
import type { SubscriptionDraft } from './subscription-draft.ts';

const said = words.live;

export interface SubscriptionFieldsProps {
  readonly filter: SavedFilter;
  readonly draft: SubscriptionDraft;
  readonly errorOf: (member: keyof SubscriptionDraft) => string | null;
  readonly onChange: (changed: Partial<SubscriptionDraft>) => void;
}

export function MailFields({ filter, draft, errorOf, onChange }: SubscriptionFieldsProps) {
  const error = errorOf('recipients');
  const noteId = useId();
  return (
    <>
      <div className={field.field}>
        <span className={field.label}>{said.recipients}</span>
        <ChipsField
          label={said.recipients}
          values={draft.recipients}
          items={useRecipients(filter, draft.recipients)}
          onChange={(recipients) => onChange({ recipients })}
          takesOthers={false}
          placeholder={said.findPerson}
          isInvalid={error !== null}
          describedBy={noteId}
        />
        {error === null ? (
          <span id={noteId} className="note">
            {said.recipientsHint}
          </span>
        ) : (
          <span id={noteId} role="alert" className={field.error}>
            {error}
          </span>
        )}
      </div>
      <Dropdown label={said.notify} value={draft.notify} onChange={(notify) => onChange({ notify })}>
        {optionsOf(said.notifies)}
      </Dropdown>
      {draft.notify === 'changes' ? (
        <TextField
          label={said.batch}
          error={errorOf('batchMinutes')}
          value={draft.batchMinutes}
          onChange={(batchMinutes) => onChange({ batchMinutes })}
          inputMode="decimal"
          autoComplete="off"
        />
      ) : (
        <TextField
          label={said.line}
          error={errorOf('line')}
          value={draft.line}
          onChange={(line) => onChange({ line })}
          inputMode="numeric"
          autoComplete="off"
        />
      )}
    </>
  );
}

/** People who may not read the list of people can choose only themselves. */
function useRecipients(filter: SavedFilter, chosen: readonly string[]): readonly ComboItem[] {
  const api = useApi();
  const user = useUser();
  const { data: organizations } = useQuery(organizationsQuery(api));
  const reachesStaff = user.scope === 'system' || user.isWholePartner;
  const owner = organizations?.find(({ id }) => id === filter.orgId) ?? filter;
  const { data: people } = useQuery({
    ...peopleWithAccessQuery(api, filter.orgId, reachesStaff ? owner.partnerId : null),
    enabled: holds(user, USERS_WRITE) && organizations !== undefined,
  });
  const items = new Map<string, ComboItem>();
  for (const { id, name, email } of [...(people?.data ?? []), user]) {
    items.set(id, { id, label: name, detail: email });
  }
  for (const id of chosen) if (!items.has(id)) items.set(id, { id, label: said.anotherPerson });
  return [...items.values()];
}
