import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Disclosure, Button as DisclosureButton, DisclosurePanel, Heading } from 'react-aria-components';
import type { Device } from '#adapters/http/api-types.ts';
import { deviceFiltersQuery, type FilterName } from '#console/api/devices.ts';
import { filterConditionsQuery } from '#console/api/filters.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { ExplainView } from '#console/pages/explain/explain-tree.tsx';
import { Icon } from '#console/parts/display/icon.tsx';
import { Time } from '#console/parts/display/time.tsx';
import { Pending } from '#console/parts/feedback/pending.tsx';
import styles from './filters-tab.module.css';

export function FiltersTab({ device }: { readonly device: Device }) {
  const query = useQuery(deviceFiltersQuery(useApi(), device.id));
  const { data } = query;
  if (data === undefined) return <Pending query={query} />;
  if (data.length === 0) return <p className="soft">{words.devicePage.noFilters}</p>;
  return (
    <ul className={styles.filters}>
      {data.map((filter) => (
        <li key={filter.id}>
          <MatchingFilter filter={filter} device={device} />
        </li>
      ))}
    </ul>
  );
}

interface MatchingFilterProps {
  readonly filter: FilterName;
  readonly device: Device;
}

function MatchingFilter({ filter: { id, name, since }, device }: MatchingFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Disclosure isExpanded={isOpen} onExpandedChange={setIsOpen}>
      <Heading level={2} className={styles.head}>
        <DisclosureButton slot="trigger" className={styles.trigger}>
          <Icon name={isOpen ? 'down' : 'chevron'} />
          {name}
        </DisclosureButton>
        {since !== null && (
          <span className={styles.since}>
            {words.devicePage.since} <Time at={since} as="dateTime" />
          </span>
        )}
        <Link to={`/filters/${id}` as '/'}>{words.devicePage.openFilter}</Link>
      </Heading>
      <DisclosurePanel className={styles.panel}>
        {isOpen && <Why filterId={id} device={device} />}
      </DisclosurePanel>
    </Disclosure>
  );
}

function Why({ filterId, device }: { readonly filterId: string; readonly device: Device }) {
  const query = useQuery(filterConditionsQuery(useApi(), filterId));
  if (query.data === undefined) return <Pending query={query} />;
  return <ExplainView conditions={query.data} deviceId={device.id} orgId={device.orgId} />;
}
