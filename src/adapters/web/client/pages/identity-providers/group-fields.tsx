import type { Organization } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { OrganizationChoice } from '#console/pages/people/organization-choice.tsx';
import { PermissionChoice } from '#console/pages/people/permission-choice.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import card from '#console/parts/layout/card.module.css';
import type { GroupDraft } from './provider-draft.ts';

const said = words.identityProviders;

interface GroupFieldsProps {
  readonly groups: readonly GroupDraft[];
  readonly offered: readonly string[];
  /** Organizations to choose from; empty if the provider belongs to an organization. */
  readonly organizations: readonly Pick<Organization, 'id' | 'name'>[];
  /** Whether missing values are reported. */
  readonly isChecked: boolean;
  readonly onChange: (groups: readonly GroupDraft[]) => void;
}

export function GroupFields({ groups, offered, organizations, isChecked, onChange }: GroupFieldsProps) {
  const replace = (at: number, changed: Partial<GroupDraft>) =>
    onChange(groups.map((group, i) => (i === at ? { ...group, ...changed } : group)));
  return (
    <>
      {groups.map((draft, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a group has no other identity while it is being edited.
        <div key={i} className={`${card.card} stack`}>
          <TextField
            label={said.groupLabel}
            hint={said.groupHint}
            error={isChecked && draft.group.trim() === '' ? said.missing : null}
            value={draft.group}
            onChange={(group) => replace(i, { group })}
            autoComplete="off"
          />
          <PermissionChoice
            legend={words.people.permissions}
            offered={offered}
            chosen={draft.permissions}
            onChange={(permissions) => replace(i, { permissions })}
          />
          {organizations.length > 0 && (
            <OrganizationChoice
              organizations={organizations}
              chosen={draft.orgIds}
              error={isChecked && draft.orgIds?.length === 0 ? words.people.organizationsMissing : null}
              onChange={(orgIds) => replace(i, { orgIds })}
            />
          )}
          <div>
            <Button
              isCompact
              aria-label={said.removeGroup(draft.group)}
              onPress={() => onChange(groups.filter((_, at) => at !== i))}
            >
              {said.remove}
            </Button>
          </div>
        </div>
      ))}
      <div>
        <Button onPress={() => onChange([...groups, { group: '', permissions: [], orgIds: null }])}>
          {said.addGroup}
        </Button>
      </div>
    </>
  );
}
