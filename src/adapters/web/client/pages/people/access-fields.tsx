import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { organizationsQuery } from '#console/api/fleet.ts';
import { ownRecordQuery } from '#console/api/people.ts';
import { partnersQuery } from '#console/api/tenants.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import form from '#console/pages/settings/form.module.css';
import { Checkbox } from '#console/parts/fields/checkbox.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import field from '#console/parts/fields/text-field.module.css';
import type { Giver } from '#domain/access/rights.ts';
import { type AccessDraft, faultsOf, partnerIn, permissionsToGive, placesToGive } from './access-draft.ts';
import styles from './people.module.css';

const said = words.people;

interface AccessFieldsProps {
  readonly giver: Giver;
  readonly draft: AccessDraft;
  readonly onChange: (draft: AccessDraft) => void;
  /** After a try to send. */
  readonly isChecked: boolean;
}

/** Offers only what the giver has. */
export function AccessFields({ giver, draft, onChange, isChecked }: AccessFieldsProps) {
  const hintId = useId();
  const api = useApi();
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  const { kind } = giver.scope;
  const { data: allPartners } = useQuery({ ...partnersQuery(api), enabled: kind === 'system' });
  const { data: own } = useQuery({ ...ownRecordQuery(api, giver.userId), enabled: kind === 'partner' });
  const ownPartner = own?.partner == null ? [] : [own.partner];
  const partners = allPartners ?? ownPartner;
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
        <Dropdown
          label={said.reach}
          value={draft.orgIds === null ? 'all' : 'some'}
          onChange={(reach) => onChange({ ...draft, orgIds: reach === 'all' ? null : [] })}
        >
          {optionsOf(said.reaches)}
        </Dropdown>
      )}
      {partnerId !== null && draft.orgIds !== null && (
        <fieldset className={form.options}>
          <legend>{said.someOrganizations}</legend>
          <div className={styles.choices}>
            {offered.map(({ id, name }) => (
              <Checkbox
                key={id}
                isSelected={draft.orgIds?.includes(id) ?? false}
                onChange={() => onChange({ ...draft, orgIds: toggled(draft.orgIds ?? [], id) })}
              >
                {name}
              </Checkbox>
            ))}
          </div>
          {isChecked && faults.orgIds !== null && (
            <p role="alert" className={field.error}>
              {faults.orgIds}
            </p>
          )}
        </fieldset>
      )}
      {permissions.length > 0 && (
        <fieldset className={form.options} aria-describedby={hintId}>
          <legend>{said.permissions}</legend>
          <p id={hintId} className="note">
            {said.permissionsHint}
          </p>
          {permissions.map((permission) => (
            <Checkbox
              key={permission}
              isSelected={draft.permissions.includes(permission)}
              onChange={() => onChange({ ...draft, permissions: toggled(draft.permissions, permission) })}
            >
              {words.settings.profile.permissionTitles[permission] ?? permission}{' '}
              <code className="soft">{permission}</code>
            </Checkbox>
          ))}
        </fieldset>
      )}
    </>
  );
}

function toggled(chosen: readonly string[], one: string): readonly string[] {
  return chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
}
