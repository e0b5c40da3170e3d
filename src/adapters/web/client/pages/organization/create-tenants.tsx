import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { organizationsQuery } from '#console/api/fleet.ts';
import { createPlace, partnersQuery } from '#console/api/tenants.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { namesById } from '#console/pages/lists/use-organizations.ts';
import { useGiver } from '#console/pages/people/rights.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { USERS_WRITE } from '#domain/access/permission.ts';
import { NameDialog } from './name-dialog.tsx';

const said = words.organization;

/** True for system scope and staff of a whole partner. False until known. */
export function useMayCreate(): boolean {
  const user = useUser();
  const scope = useGiver()?.scope;
  if (!holds(user, USERS_WRITE) || !hasFactor(user)) return false;
  return scope?.kind === 'system' || (scope?.kind === 'partner' && scope.isWhole);
}

export function CreateTenants() {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mayCreate = useMayCreate();
  const { scope } = useUser();
  const isSystem = mayCreate && scope === 'system';
  const { data: partners = [] } = useQuery({ ...partnersQuery(api), enabled: isSystem });
  const [asked, setAsked] = useState<'organization' | 'partner' | null>(null);
  if (!mayCreate) return null;
  return (
    <>
      {isSystem && <Button onPress={() => setAsked('partner')}>{said.createPartner}</Button>}
      {(!isSystem || partners.length > 0) && (
        <Button onPress={() => setAsked('organization')}>{said.create}</Button>
      )}
      {asked === 'organization' && (
        <NameDialog
          title={said.create}
          action={said.createConfirm}
          {...(isSystem && { partners: namesById(partners) })}
          onSubmit={async (name, partnerId) => {
            const { id } = await createPlace(api, 'organization', { name, ...(isSystem && { partnerId }) });
            await queries.invalidateQueries({ queryKey: organizationsQuery(api).queryKey });
            await navigate({ to: '/organizations/$id', params: { id } });
          }}
          onClose={() => setAsked(null)}
        />
      )}
      {asked === 'partner' && (
        <NameDialog
          title={said.createPartner}
          action={said.createConfirm}
          onSubmit={async (name) => {
            await createPlace(api, 'partner', { name });
            await queries.invalidateQueries({ queryKey: partnersQuery(api).queryKey });
            setAsked('organization');
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}
