import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Site } from '#adapters/http/api-types.ts';
import { sitesQuery } from '#console/api/filters.ts';
import { createPlace, deletePlace, renamePlace } from '#console/api/tenants.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ConfirmDialog } from '#console/pages/settings/confirm-dialog.tsx';
import { Button } from '#console/parts/actions/button.tsx';
import { DevicesLink } from '#console/parts/display/device-link.tsx';
import type { Column } from '#console/parts/layout/data-table.tsx';
import { LoadedTable } from '#console/parts/layout/loaded-table.tsx';
import { TitledCard } from '#console/parts/layout/titled-card.tsx';
import { quote } from '#domain/filter/text/text-keys.ts';
import { NameDialog } from './name-dialog.tsx';
import styles from './organization.module.css';

const said = words.organization;

type Asked = { readonly what: 'rename' | 'delete'; readonly site: Site } | { readonly what: 'add' };

export function SitesCard({ orgId, mayChange }: { readonly orgId: string; readonly mayChange: boolean }) {
  const api = useApi();
  const query = useQuery(sitesQuery(api));
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <TitledCard
      title={said.sites}
      action={
        mayChange && (
          <Button isCompact onPress={() => setAsked({ what: 'add' })}>
            {said.addSite}
          </Button>
        )
      }
    >
      <LoadedTable
        label={said.sites}
        columns={columnsFor(mayChange ? setAsked : null)}
        rows={query.data?.filter((site) => site.orgId === orgId)}
        query={query}
        pendingRows={2}
        empty={said.noSites}
      />
      {asked !== null && <SiteDialog asked={asked} orgId={orgId} onClose={() => setAsked(null)} />}
    </TitledCard>
  );
}

function columnsFor(ask: ((asked: Asked) => void) | null): readonly Column<Site>[] {
  const name: Column<Site> = {
    id: 'name',
    title: said.site,
    isMain: true,
    cell: (site) => (
      <DevicesLink org={site.orgId} q={`site:${quote(site.name)}`}>
        {site.name}
      </DevicesLink>
    ),
  };
  if (ask === null) return [name];
  return [
    name,
    {
      id: 'change',
      title: said.change,
      isAction: true,
      cell: (site) => (
        <span className={styles.actions}>
          <Button
            isCompact
            aria-label={said.renameSiteNamed(site.name)}
            onPress={() => ask({ what: 'rename', site })}
          >
            {said.renameSite}
          </Button>
          <Button
            isCompact
            aria-label={said.deleteSiteNamed(site.name)}
            onPress={() => ask({ what: 'delete', site })}
          >
            {said.deleteSite}
          </Button>
        </span>
      ),
    },
  ];
}

interface SiteDialogProps {
  readonly asked: Asked;
  readonly orgId: string;
  readonly onClose: () => void;
}

function SiteDialog({ asked, orgId, onClose }: SiteDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const reload = () => queries.invalidateQueries({ queryKey: sitesQuery(api).queryKey });
  if (asked.what === 'delete') {
    const { id, name } = asked.site;
    return (
      <ConfirmDialog
        title={said.deleteTitle(name)}
        action={said.deleteSiteConfirm}
        onConfirm={async () => {
          await deletePlace(api, 'site', id);
          await reload();
        }}
        onClose={onClose}
      >
        {said.deleteSiteText}
      </ConfirmDialog>
    );
  }
  const isNew = asked.what === 'add';
  return (
    <NameDialog
      title={isNew ? said.addSiteTitle : said.renameTitle(asked.site.name)}
      action={isNew ? said.addSite : said.renameConfirm}
      {...(!isNew && { name: asked.site.name })}
      onSubmit={async (name) => {
        if (isNew) await createPlace(api, 'site', { orgId, name });
        else await renamePlace(api, 'site', asked.site.id, name);
        await reload();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
