import { useQuery } from '@tanstack/react-query';
import { organizationsQuery } from '#console/api/fleet.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import type { Giver } from '#domain/access/rights.ts';
import { type AccessDraft, faultsOf, partnerIn, permissionsToGive, placesToGive } from './access-draft.ts';
import { OrganizationChoice } from './organization-choice.tsx';
import { PermissionChoice } from './permission-choice.tsx';
import { usePartners } from './rights.ts';

const said = words.people;

interface AccessFieldsProps {
  readonly giver: Giver;
  readonly draft: AccessDraft;
  readonly onChange: (draft: AccessDraft) => void;
  /** Whether missing values are reported. */
  readonly isChecked: boolean;
}

/** Offers only the access that the giver has. */
export function AccessFields({ giver, draft, onChange, isChecked }: AccessFieldsProps) {
  const api = useApi();
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  const partners = usePartners(giver);
  const faults = faultsOf(draft);
  const partnerId = partnerIn(draft);
  const offered = organizations.filter((organization) => organization.partnerId === partnerId);
  const permissions = permissionsToGive(giver);
  return (
    <>
      <Dropdown
        label={said.organization}
        value={draft.place}
        error={isChecked ? faults.place : null}
        onChange={(place) => onChange({ ...draft, place, orgIds: null })}
      >
        {optionsOf({
          ...(draft.place === '' && { '': said.chooseOrganization }),
          ...placesToGive(giver, organizations, partners),
        })}
      </Dropdown>
      {partnerId !== null && (
        <OrganizationChoice
          organizations={offered}
          chosen={draft.orgIds}
          error={isChecked ? faults.orgIds : null}
          onChange={(orgIds) => onChange({ ...draft, orgIds })}
        />
      )}
      {permissions.length > 0 && (
        <PermissionChoice
          legend={said.permissions}
          hint={said.permissionsHint}
          offered={permissions}
          chosen={draft.permissions}
          onChange={(chosen) => onChange({ ...draft, permissions: chosen })}
        />
      )}
    </>
  );
}
