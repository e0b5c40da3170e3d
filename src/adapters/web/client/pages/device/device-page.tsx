import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Device } from '#adapters/http/api-types.ts';
import { deviceQuery } from '#console/api/devices.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useKeys } from '#console/keys/registry.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { useNarrow } from '#console/pages/lists/toolbar.tsx';
import { DEVICE_TABS, type DeviceTab } from '#console/pages/search.ts';
import tabs from '#console/pages/tabs.module.css';
import { formatNumber } from '#console/parts/display/format.ts';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { Notice } from '#console/parts/feedback/notice.tsx';
import { PendingPage } from '#console/parts/feedback/pending.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { DeviceHead, type DevicePartProps } from './device-head.tsx';
import { HardwareTab, OverviewTab } from './tabs/facts-tabs.tsx';
import { FiltersTab } from './tabs/filters-tab.tsx';
import { AlertsTab, NetworkTab, PatchesTab, SoftwareTab } from './tabs/table-tabs.tsx';

export function DevicePage() {
  const { id } = useParams({ from: '/shell/devices/$id' });
  const query = useQuery(deviceQuery(useApi(), id));
  if (query.data !== undefined) return <Loaded device={query.data.data} etag={query.data.etag} />;
  return (
    <PendingPage
      title={words.devicePage.title}
      query={query}
      gone={
        <Empty title={words.notFoundTitle} text={words.devicePage.gone}>
          <Link to="/devices">{words.toDevices}</Link>
        </Empty>
      }
    />
  );
}

function Loaded({ device, etag }: DevicePartProps) {
  const ended = useRouterState({ select: ({ location }) => location.state.endedDevice });
  const { tab = 'overview' } = useSearch({ from: '/shell/devices/$id' });
  const narrow = useNarrow();
  const show = (chosen: DeviceTab) => narrow({ tab: chosen === 'overview' ? undefined : chosen });
  useKeys(
    words.devicePage.tabList,
    DEVICE_TABS.map((one, i) => ({
      keys: String(i + 1),
      title: words.devicePage.tabs[one],
      run: () => show(one),
    })),
  );
  return (
    <Page title={nameOf(device)} heading={<DeviceHead device={device} etag={etag} />}>
      {ended !== undefined && <Notice kind="success">{ended}</Notice>}
      <Tabs
        className="stack"
        selectedKey={tab}
        onSelectionChange={(key) => show(DEVICE_TABS.find((one) => one === key) ?? 'overview')}
      >
        <TabList aria-label={words.devicePage.tabList} className={tabs.list}>
          {DEVICE_TABS.map((one) => (
            <Tab key={one} id={one} className={tabs.tab} ref={one === tab ? bringIntoSight : null}>
              {words.devicePage.tabs[one]}
              <Count count={COUNTS[one]?.(device)} />
            </Tab>
          ))}
        </TabList>
        {DEVICE_TABS.map((one) => {
          const Panel = PANELS[one];
          return (
            <TabPanel key={one} id={one} className="stack">
              <Panel device={device} etag={etag} />
            </TabPanel>
          );
        })}
      </Tabs>
    </Page>
  );
}

/** Scrolls only the list of tabs. `scrollIntoView` would scroll the page too. */
function bringIntoSight(tab: HTMLElement | null): void {
  const list = tab?.closest('[role="tablist"]');
  if (tab === null || list === null || list === undefined) return;
  const [own, room] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.right > room.right) list.scrollLeft += own.right - room.right;
  else if (own.left < room.left) list.scrollLeft += own.left - room.left;
}

function Count({ count }: { readonly count: number | undefined }) {
  return count === undefined || count === 0 ? null : (
    <span className={tabs.count}>{formatNumber(count)}</span>
  );
}

const COUNTS: Partial<Readonly<Record<DeviceTab, (device: Device) => number>>> = {
  network: ({ totals }) => totals.network,
  software: ({ totals }) => totals.software,
  patches: ({ patches }) => patches?.filter(({ status }) => status !== 'installed').length ?? 0,
  alerts: ({ totals }) => totals.alerts,
};

const PANELS: Readonly<Record<DeviceTab, (props: DevicePartProps) => React.ReactNode>> = {
  overview: OverviewTab,
  hardware: HardwareTab,
  network: NetworkTab,
  software: SoftwareTab,
  patches: PatchesTab,
  alerts: AlertsTab,
  filters: FiltersTab,
};
