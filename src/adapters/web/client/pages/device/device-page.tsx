import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { Device } from '#adapters/http/api-types.ts';
import { deviceQuery } from '#console/api/devices.ts';
import { ApiError } from '#console/api/http.ts';
import { useApi } from '#console/app/services.ts';
import { words } from '#console/app/words.ts';
import { useKeys } from '#console/keys/registry.ts';
import { nameOf } from '#console/pages/devices/table/columns.tsx';
import { DEVICE_TABS, type DeviceTab } from '#console/pages/search.ts';
import tabs from '#console/pages/tabs.module.css';
import { Empty } from '#console/parts/feedback/empty.tsx';
import { ErrorNotice, Notice } from '#console/parts/feedback/notice.tsx';
import { Skeleton } from '#console/parts/feedback/skeleton.tsx';
import { Page } from '#console/parts/layout/page.tsx';
import { DeviceHead, type DevicePartProps } from './device-head.tsx';
import { HardwareTab, OverviewTab } from './tabs/facts-tabs.tsx';
import { FiltersTab } from './tabs/filters-tab.tsx';
import { AlertsTab, NetworkTab, PatchesTab, SoftwareTab } from './tabs/table-tabs.tsx';

export function DevicePage() {
  const { id } = useParams({ from: '/shell/devices/$id' });
  const { data: answer, error, refetch } = useQuery(deviceQuery(useApi(), id));
  if (answer !== undefined) return <Loaded device={answer.data} etag={answer.etag} />;
  return (
    <Page title={words.devicePage.title}>
      {error === null ? (
        <div className="stack">
          <Skeleton width={320} />
          <Skeleton width={560} />
          <Skeleton width={480} />
        </div>
      ) : error instanceof ApiError && error.status === 404 ? (
        <Empty title={words.notFoundTitle} text={words.devicePage.gone}>
          <Link to="/devices">{words.toDevices}</Link>
        </Empty>
      ) : (
        <ErrorNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Loaded({ device, etag }: DevicePartProps) {
  const ended = useRouterState({ select: ({ location }) => location.state.endedDevice });
  const { tab = 'overview' } = useSearch({ from: '/shell/devices/$id' });
  const navigate = useNavigate();
  const show = (chosen: DeviceTab) =>
    void navigate({
      to: '/devices/$id',
      params: { id: device.id },
      search: (search) => ({ ...search, tab: chosen === 'overview' ? undefined : chosen }) as object,
      replace: true,
      resetScroll: false,
    });
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

/** For narrow screens. `scrollIntoView` would scroll the page as well. */
function bringIntoSight(tab: HTMLElement | null): void {
  const list = tab?.closest('[role="tablist"]');
  if (tab === null || list === null || list === undefined) return;
  const [own, room] = [tab.getBoundingClientRect(), list.getBoundingClientRect()];
  if (own.right > room.right) list.scrollLeft += own.right - room.right;
  else if (own.left < room.left) list.scrollLeft += own.left - room.left;
}

function Count({ count }: { readonly count: number | undefined }) {
  return count === undefined || count === 0 ? null : <span className={tabs.count}>{count}</span>;
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
