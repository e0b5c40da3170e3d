import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { IdentityProvider } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { changeProvider, createProvider } from '#console/api/identity-providers.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { permissionsToGive, placesToGive } from '#console/pages/people/access-draft.ts';
import { PermissionChoice } from '#console/pages/people/permission-choice.tsx';
import { usePartners } from '#console/pages/people/rights.ts';
import { Checkbox } from '#console/parts/fields/checkbox.tsx';
import { Dropdown, optionsOf } from '#console/parts/fields/dropdown.tsx';
import { faultAt, useSending } from '#console/parts/fields/form.tsx';
import { TextField } from '#console/parts/fields/text-field.tsx';
import { FormDialog } from '#console/parts/layout/form-dialog.tsx';
import type { Giver } from '#domain/access/rights.ts';
import { GroupFields } from './group-fields.tsx';
import {
  draftOf,
  emptyDraft,
  missingIn,
  type ProviderDraft,
  partnerIn,
  toNewProvider,
  toSettings,
} from './provider-draft.ts';

const said = words.identityProviders;

interface ProviderDialogProps {
  readonly giver: Giver;
  /** Null for a new provider. */
  readonly provider: IdentityProvider | null;
  readonly onSaved: (provider: IdentityProvider) => void;
  readonly onClose: () => void;
}

export function ProviderDialog({ giver, provider, onSaved, onClose }: ProviderDialogProps) {
  const api = useApi();
  const isNew = provider === null;
  const { data: organizations = [] } = useQuery(organizationsQuery(api));
  const { system: _, ...places } = placesToGive(giver, organizations, usePartners(giver));
  const [first = '', ...others] = Object.keys(places);
  const [draft, setDraft] = useState<ProviderDraft>(() => (isNew ? emptyDraft('') : draftOf(provider)));
  const [isChecked, setIsChecked] = useState(false);
  const sending = useSending();
  const chosen = draft.place === '' && others.length === 0 ? { ...draft, place: first } : draft;
  const missing = missingIn(chosen, isNew);
  const change = (changed: Partial<ProviderDraft>) => setDraft({ ...draft, ...changed });

  async function save() {
    setIsChecked(true);
    if (missing.size > 0) return;
    await sending.send(async () =>
      onSaved(
        isNew
          ? await createProvider(api, toNewProvider(chosen))
          : await changeProvider(api, provider.id, toSettings(chosen)),
      ),
    );
  }

  const errorOf = (name: keyof ProviderDraft, path: string = name) =>
    faultAt(sending.fault, path) ?? (isChecked && missing.has(name) ? said.missing : null);
  const textField = (
    name: 'name' | 'issuer' | 'clientId' | 'clientSecret' | 'domains' | 'groupsClaim' | 'acrValues',
    label: string,
    hint?: string,
  ) => (
    <TextField
      label={label}
      {...(hint !== undefined && { hint })}
      error={errorOf(name)}
      value={draft[name]}
      onChange={(typed) => change({ [name]: typed })}
      autoComplete="off"
      {...(name === 'clientSecret' && { type: 'password' })}
      {...(name === 'domains' && { isMultiline: true })}
    />
  );
  return (
    <FormDialog
      title={isNew ? said.addTitle : said.changeTitle(provider.name)}
      submit={said.save}
      isPersistent
      width={560}
      sending={sending}
      onSubmit={save}
      onClose={onClose}
    >
      {textField('name', said.name, said.nameHint)}
      {isNew && others.length > 0 && (
        <Dropdown
          label={said.owner}
          value={draft.place}
          error={isChecked && missing.has('place') ? said.ownerMissing : null}
          onChange={(place) => change({ place, groups: [] })}
        >
          {optionsOf({ ...(draft.place === '' && { '': said.chooseOwner }), ...places })}
        </Dropdown>
      )}
      {isNew && textField('issuer', said.issuer, said.issuerHint)}
      {textField('clientId', said.clientId)}
      {textField('clientSecret', said.clientSecret, isNew ? undefined : said.secretHint)}
      {textField('domains', said.domainsLabel, said.domainsHint)}
      <Checkbox isSelected={draft.provision} onChange={(provision) => change({ provision })}>
        {said.provision}
      </Checkbox>
      <PermissionChoice
        legend={said.permissions}
        hint={said.permissionsHint}
        offered={permissionsToGive(giver)}
        chosen={draft.permissions}
        onChange={(permissions) => change({ permissions })}
      />
      {textField('groupsClaim', said.groupsClaim, said.groupsClaimHint)}
      {draft.groupsClaim.trim() !== '' && (
        <GroupFields
          groups={draft.groups}
          offered={permissionsToGive(giver)}
          organizations={organizations.filter(({ partnerId }) => partnerId === partnerIn(chosen))}
          isChecked={isChecked}
          onChange={(groups) => change({ groups })}
        />
      )}
      <Checkbox isSelected={draft.trustMfa} onChange={(trustMfa) => change({ trustMfa })}>
        {said.trustMfa}
      </Checkbox>
      {draft.trustMfa && textField('acrValues', said.acrValues, said.acrHint)}
    </FormDialog>
  );
}
