import { Fragment, useState } from 'react';
import type { IdentityProvider } from '#adapters/http/api-types.ts';
import { redirectAddresses, signInLink, verifyDomains } from '#console/api/identity-providers.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { Facts } from '#console/pages/facts.tsx';
import { useOrganizations } from '#console/pages/lists/use-organizations.ts';
import { Button } from '#console/parts/actions/button.tsx';
import { CopyButton } from '#console/parts/actions/copy-button.tsx';
import { Badge } from '#console/parts/display/badge.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { useSending } from '#console/parts/fields/form.tsx';
import { type Column, DataTable } from '#console/parts/layout/data-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import styles from './providers.module.css';

const said = words.identityProviders;

interface ProviderCardProps {
  readonly provider: IdentityProvider;
  /** Absent if the user may not change the provider. */
  readonly onChange?: () => void;
  readonly onDelete?: () => void;
  readonly onVerified: () => void;
}

export function ProviderCard({ provider, onChange, onDelete, onVerified }: ProviderCardProps) {
  const { id, name, issuer, clientId, orgId, partnerId, provision, trustMfa } = provider;
  const organizations = useOrganizations();
  const owner = organizations.nameOf(orgId) ?? organizations.partnerName(partnerId) ?? '';
  return (
    <TitledCard
      title={name}
      action={
        onChange !== undefined && (
          <span className={styles.actions}>
            <Button isCompact aria-label={said.changeNamed(name)} onPress={onChange}>
              {said.change}
            </Button>
            <Button isCompact aria-label={said.removeNamed(name)} onPress={() => onDelete?.()}>
              {said.remove}
            </Button>
          </span>
        )
      }
    >
      <Facts
        rows={[
          [said.owner, owner],
          [said.issuer, issuer],
          [said.clientId, clientId],
          [said.newPeople, provision ? said.makes : said.makesNone],
          [said.factor, trustMfa ? said.trusted : said.notTrusted],
          [said.signInLink, <Copied key="link" text={signInLink(id)} label={said.copySignInLink} />],
          [
            said.redirects,
            <Fragment key="redirects">
              <p className="note">{said.redirectsText}</p>
              {redirectAddresses(id).map((address, i) => (
                <Copied key={address} text={address} label={said.copyRedirect(i + 1)} />
              ))}
            </Fragment>,
          ],
        ]}
      />
      <Domains provider={provider} mayVerify={onChange !== undefined} onVerified={onVerified} />
      {provider.groupsClaim !== null && (
        <DataTable
          label={said.groups}
          columns={groupColumns(organizations.nameOf)}
          rows={[
            ...provider.groups,
            { group: said.permissionsOtherwise, permissions: provider.permissions, orgIds: null },
          ]}
          keyOf={({ group }) => group}
        />
      )}
    </TitledCard>
  );
}

function Copied({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <span className={styles.copied}>
      <code>{text}</code>
      <CopyButton text={text} label={label} isCompact />
    </span>
  );
}

interface DomainsProps extends Pick<ProviderCardProps, 'provider' | 'onVerified'> {
  readonly mayVerify: boolean;
}

function Domains({ provider: { id, domains }, mayVerify, onVerified }: DomainsProps) {
  const api = useApi();
  const [missing, setMissing] = useState(0);
  const { isSending, fault, send } = useSending();
  if (domains.length === 0) return <p className="soft">{said.noDomains}</p>;
  const verify = () =>
    send(async () => {
      const after = await verifyDomains(api, id);
      setMissing(after.domains.filter(({ verified }) => !verified).length);
      onVerified();
    });
  const isOpen = domains.some(({ verified }) => !verified);
  return (
    <div className="stack">
      <DataTable
        label={said.domains}
        columns={DOMAIN_COLUMNS}
        rows={domains}
        keyOf={({ domain }) => domain}
      />
      {isOpen && <p className="note">{said.domainsText}</p>}
      {missing > 0 && <Notice kind="warning">{said.notFound(missing)}</Notice>}
      <ErrorNotice error={fault} />
      {isOpen && mayVerify && (
        <div>
          <Button isPending={isSending} onPress={() => void verify()}>
            {said.verify}
          </Button>
        </div>
      )}
    </div>
  );
}

type Domain = IdentityProvider['domains'][number];

const DOMAIN_COLUMNS: readonly Column<Domain>[] = [
  { id: 'domain', title: said.domain, isMain: true, cell: ({ domain }) => domain },
  {
    id: 'state',
    title: words.people.status,
    fits: true,
    cell: ({ verified }) => (
      <Badge tone={verified ? 'green' : 'amber'}>{verified ? said.verified : said.notVerified}</Badge>
    ),
  },
  {
    id: 'record',
    title: said.record,
    cell: ({ domain, verified, record }) =>
      verified ? null : (
        <span className={styles.copied}>
          <code>{record.name}</code>
          <code>{record.value}</code>
          <CopyButton text={record.value} label={said.copyValue(domain)} isCompact />
        </span>
      ),
  },
];

type Group = IdentityProvider['groups'][number];

function groupColumns(nameOf: (id: string) => string | undefined): readonly Column<Group>[] {
  return [
    { id: 'group', title: said.group, isMain: true, cell: ({ group }) => group },
    {
      id: 'can',
      title: said.can,
      cell: ({ permissions }) =>
        permissions.length === 0
          ? said.view
          : permissions.map((each) => words.settings.profile.permissionTitles[each] ?? each).join('; '),
    },
    {
      id: 'where',
      title: said.where,
      cell: ({ orgIds }) =>
        orgIds === null ? said.all : orgIds.map((orgId) => nameOf(orgId) ?? orgId).join(', '),
    },
  ];
}
