import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import type { Organization } from '#adapters/http/api-types.ts';
import { organizationsQuery } from '#console/api/fleet.ts';
import { deletePlace, partnersQuery, renamePlace } from '#console/api/tenants.ts';
import { useApi } from '#console/app/services.ts';
import { hasFactor, holds, useUser } from '#console/app/user.ts';
import { words } from '#console/app/words.ts';
import { Facts } from '#console/pages/facts.tsx';
import { NeedsFactor } from '#console/pages/needs-factor.tsx';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { DevicesLink } from '#console/parts/display/device-link.tsx';
import { formatNumber } from '#console/parts/display/format.ts';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { Pending } from '#console/parts/feedback/pending.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { DEVICES_WRITE, USERS_WRITE } from '#domain/access/permission.ts';
import { AccessMatrix } from './access-matrix.tsx';
import { useMayCreate } from './create-tenants.tsx';
import { NameDialog } from './name-dialog.tsx';
import styles from './organization.module.css';
import { EnrolmentKeysCard, FieldsCard, FiltersCard } from './owned-lists.tsx';
import { SitesCard } from './sites-card.tsx';

const route = getRouteApi('/shell/organizations/$id');

const said = words.organization;

export function OrganizationPage() {
  const { id } = route.useParams();
  const query = useQuery(organizationsQuery(useApi()));
  const organization = query.data?.find((one) => one.id === id);
  if (organization !== undefined) return <OneOrganization key={id} organization={organization} />;
  if (query.data === undefined) {
    return (
      <Page title={said.one}>
        <Pending query={query} />
      </Page>
    );
  }
  return (
    <Page title={said.one}>
      <Empty title={words.notFoundTitle} text={said.gone}>
        <Link to="/organizations">{said.toList}</Link>
      </Empty>
    </Page>
  );
}

type Asked = 'rename' | 'rename-partner' | 'delete';

function OneOrganization({ organization }: { readonly organization: Organization }) {
  const { id, name, partnerName, deviceCount } = organization;
  const user = useUser();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const administers = holds(user, USERS_WRITE);
  const mayChange = administers && hasFactor(user);
  const editsDevices = holds(user, DEVICES_WRITE);
  const mayDelete = useMayCreate();
  return (
    <Page
      title={name}
      actions={
        mayChange && (
          <>
            <Button onPress={() => setAsked('rename')}>{said.rename}</Button>
            {mayDelete && <Button onPress={() => setAsked('delete')}>{said.delete}</Button>}
          </>
        )
      }
    >
      {administers && !mayChange && <NeedsFactor>{said.needsFactor}</NeedsFactor>}
      {outcome !== null && <Notice kind="success">{outcome}</Notice>}
      <Facts
        rows={[
          [
            said.partner,
            <Fragment key="partner">
              {partnerName}{' '}
              {mayChange && user.scope === 'system' && (
                <Button isCompact onPress={() => setAsked('rename-partner')}>
                  {said.renamePartner}
                </Button>
              )}
            </Fragment>,
          ],
          [
            said.devices,
            <DevicesLink key="devices" org={id}>
              {formatNumber(deviceCount)}
            </DevicesLink>,
          ],
        ]}
      />
      {administers && <AccessMatrix organization={organization} mayChange={mayChange} />}
      <div className={styles.columns}>
        <SitesCard orgId={id} mayChange={mayChange} />
        {editsDevices && <EnrolmentKeysCard orgId={id} />}
        <FiltersCard orgId={id} />
        {editsDevices && <FieldsCard organization={organization} />}
      </div>
      {asked !== null && (
        <OrganizationDialog
          asked={asked}
          organization={organization}
          onRenamed={(now) => {
            setAsked(null);
            setOutcome(said.renamed(now));
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </Page>
  );
}

interface OrganizationDialogProps {
  readonly asked: Asked;
  readonly organization: Organization;
  readonly onRenamed: (name: string) => void;
  readonly onClose: () => void;
}

function OrganizationDialog({ asked, organization, onRenamed, onClose }: OrganizationDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { id, name, partnerId, partnerName } = organization;
  const reload = () => queries.invalidateQueries({ queryKey: organizationsQuery(api).queryKey });
  if (asked !== 'delete') {
    const isPartner = asked === 'rename-partner';
    const before = isPartner ? partnerName : name;
    return (
      <NameDialog
        title={said.renameTitle(before)}
        action={said.renameConfirm}
        name={before}
        onSubmit={async (now) => {
          if (isPartner) await renamePlace(api, 'partner', partnerId, now);
          else await renamePlace(api, 'organization', id, now);
          await reload();
          if (isPartner) await queries.invalidateQueries({ queryKey: partnersQuery(api).queryKey });
          onRenamed(now);
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={said.deleteTitle(name)}
      action={said.deleteConfirm}
      onConfirm={async () => {
        await deletePlace(api, 'organization', id);
        // A page narrowed to the deleted organization would be empty.
        await navigate({ to: '/organizations', search: { org: undefined } });
        await reload();
      }}
      onClose={onClose}
    >
      {said.deleteText}
    </ConfirmDialog>
  );
}
