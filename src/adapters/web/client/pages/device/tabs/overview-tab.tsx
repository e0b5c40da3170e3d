import { Link } from '@tanstack/react-router';
import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { CustomFields } from '#console/pages/device/custom-fields/custom-fields.tsx';
import type { DevicePartProps } from '#console/pages/device/head/device-head.tsx';
import { osText } from '#console/pages/devices/table/os-text.ts';
import { Meter } from '#console/parts/display/meter.tsx';
import { Time, useNow } from '#console/parts/display/time.tsx';
import { DAY_MS } from '#domain/time.ts';
import { type Fact, Facts } from './facts.tsx';
import styles from './overview-tab.module.css';
import { uptimeText } from './uptime-text.ts';

const { fact: labels, fromAgent, fromMetrics } = words.devicePage;

/** What needs attention, then the load, then the facts. */
export function OverviewTab({ device, etag }: DevicePartProps) {
  const { metrics } = device;
  return (
    <>
      <Attention device={device} />
      <section aria-labelledby="device-load">
        <h2 id="device-load" className={styles.title}>
          {words.devicePage.load}
        </h2>
        <Facts
          isDense
          facts={[
            meter(labels.cpu, metrics.cpuPercent),
            meter(labels.ram, metrics.ramPercent),
            meter(labels.disk, metrics.diskPercent),
          ]}
        />
      </section>
      <section aria-labelledby="device-facts">
        <h2 id="device-facts" className={styles.title}>
          {words.devicePage.facts}
        </h2>
        <Facts facts={factsOf(device)} />
      </section>
      <CustomFields device={device} etag={etag} />
    </>
  );
}

/** Milliseconds after which a device counts as not seen. */
const NOT_SEEN_MS = 7 * DAY_MS;

function Attention({ device }: { readonly device: Device }) {
  const now = useNow();
  const pending = device.patches.filter(({ status }) => status === 'pending').length;
  const critical = device.alerts.filter(({ severity }) => severity === 'critical').length;
  const isLost = device.lastSeenAt !== null && now - Date.parse(device.lastSeenAt) > NOT_SEEN_MS;
  const reasons = [
    ...(critical > 0 ? [{ text: words.devicePage.criticalAlerts(critical), tab: 'alerts' as const }] : []),
    ...(pending > 0 ? [{ text: words.devicePage.pendingPatches(pending), tab: 'patches' as const }] : []),
    ...(device.rebootRequired ? [{ text: words.devicePage.reboot, tab: null }] : []),
    ...(isLost ? [{ text: words.devicePage.notSeen, tab: null }] : []),
  ];
  return (
    <section aria-labelledby="device-attention">
      <h2 id="device-attention" className={styles.title}>
        {words.devicePage.attention}
      </h2>
      {reasons.length === 0 ? (
        <p className="soft">{words.devicePage.nothingToDo}</p>
      ) : (
        <ul className={styles.reasons}>
          {reasons.map(({ text, tab }) => (
            <li key={text}>
              {tab === null ? (
                text
              ) : (
                <Link to="/devices/$id" params={{ id: device.id }} search={{ tab }}>
                  {text}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function meter(label: string, percent: number | null): Fact {
  return { label, value: percent === null ? null : <Meter percent={percent} />, hint: fromMetrics };
}

function factsOf(device: Device): readonly Fact[] {
  const { enrolledAt, quarantinedAt, uptimeSeconds, isHeadless } = device;
  return [
    { label: labels.hostname, value: device.hostname },
    { label: labels.os, value: osText(device), hint: fromAgent },
    { label: labels.osBuild, value: device.osBuild, hint: fromAgent },
    { label: labels.architecture, value: device.architecture, hint: fromAgent },
    { label: labels.role, value: words.dashboard.roles[device.deviceRole] },
    { label: labels.lastUser, value: device.lastUser, hint: fromAgent },
    { label: labels.lastSeenIp, value: device.lastSeenIp, hint: fromAgent },
    { label: labels.agentVersion, value: device.agentVersion, hint: fromAgent },
    { label: labels.watchdog, value: device.watchdogStatus, hint: fromAgent },
    {
      label: labels.uptime,
      value: uptimeSeconds === null ? null : uptimeText(uptimeSeconds),
      hint: fromAgent,
    },
    {
      label: labels.headless,
      value: isHeadless === null ? null : isHeadless ? words.devicePage.yes : words.devicePage.no,
      hint: fromAgent,
    },
    { label: labels.enrolled, value: enrolledAt === null ? null : <Time at={enrolledAt} as="dateTime" /> },
    ...(quarantinedAt === null
      ? []
      : [{ label: labels.quarantined, value: <Time at={quarantinedAt} as="dateTime" /> }]),
    { label: labels.id, value: <code>{device.id}</code> },
  ];
}
