import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import type { Device } from '#adapters/http/api-types.ts';
import { words } from '#console/app/words.ts';
import { CustomFields } from '#console/pages/device/custom-fields/custom-fields.tsx';
import type { DevicePartProps } from '#console/pages/device/device-head.tsx';
import { osText } from '#console/pages/devices/table/columns.tsx';
import { Meter } from '#console/parts/display/meter.tsx';
import { Time, useNow } from '#console/parts/display/time.tsx';
import { DAY_MS } from '#domain/time.ts';
import styles from './facts-tabs.module.css';
import { VolumesTable } from './table-tabs.tsx';
import { uptimeText } from './uptime-text.ts';

const { fact: labels, fromAgent, fromMetrics, fromEnrolment } = words.devicePage;

export function OverviewTab({ device, etag }: DevicePartProps) {
  const { metrics } = device;
  return (
    <>
      <Attention device={device} />
      <TitledSection title={words.devicePage.load}>
        <Facts
          isDense
          facts={[
            meter(labels.cpu, metrics.cpuPercent),
            meter(labels.ram, metrics.ramPercent),
            meter(labels.disk, metrics.diskPercent),
          ]}
        />
      </TitledSection>
      <TitledSection title={words.devicePage.facts}>
        <Facts facts={factsOf(device)} />
      </TitledSection>
      {device.custom.length > 0 && (
        <TitledSection title={words.devicePage.custom}>
          <CustomFields device={device} etag={etag} />
        </TitledSection>
      )}
    </>
  );
}

const NOT_SEEN_MS = 7 * DAY_MS;

function Attention({ device }: { readonly device: Device }) {
  const now = useNow();
  const pending = device.patches?.filter(({ status }) => status === 'pending').length ?? 0;
  const critical = device.alerts.filter(({ severity }) => severity === 'critical').length;
  const isLost = device.lastSeenAt !== null && now - Date.parse(device.lastSeenAt) > NOT_SEEN_MS;
  const reasons = [
    ...(critical > 0 ? [{ text: words.devicePage.criticalAlerts(critical), tab: 'alerts' as const }] : []),
    ...(pending > 0 ? [{ text: words.devicePage.pendingPatches(pending), tab: 'patches' as const }] : []),
    ...(device.rebootRequired ? [{ text: words.devicePage.reboot, tab: null }] : []),
    ...(isLost ? [{ text: words.devicePage.notSeen, tab: null }] : []),
  ];
  return (
    <TitledSection title={words.devicePage.attention}>
      {reasons.length === 0 ? (
        <p className="soft">{words.devicePage.nothingToDo}</p>
      ) : (
        <ul className={`row ${styles.reasons}`}>
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
    </TitledSection>
  );
}

function meter(label: string, percent: number | null): Fact {
  return { label, value: percent === null ? null : <Meter percent={percent} />, hint: fromMetrics };
}

const sent = (label: string, value: ReactNode): Fact => ({ label, value, hint: fromAgent });

function factsOf(device: Device): readonly Fact[] {
  const { enrolledAt, quarantinedAt, uptimeSeconds, isHeadless } = device;
  return [
    { label: labels.hostname, value: device.hostname },
    sent(labels.os, osText(device)),
    sent(labels.osBuild, device.osBuild),
    sent(labels.architecture, device.architecture),
    { label: labels.role, value: words.dashboard.roles[device.deviceRole] },
    sent(labels.lastUser, device.lastUser),
    sent(labels.lastSeenIp, device.lastSeenIp),
    sent(labels.agentVersion, device.agentVersion),
    sent(labels.watchdog, device.watchdogStatus),
    sent(labels.uptime, uptimeSeconds === null ? null : uptimeText(uptimeSeconds)),
    sent(
      labels.headless,
      isHeadless === null ? null : isHeadless ? words.devicePage.yes : words.devicePage.no,
    ),
    {
      label: labels.enrolled,
      value: enrolledAt === null ? null : <Time at={enrolledAt} as="dateTime" />,
      hint: fromEnrolment,
    },
    ...(quarantinedAt === null
      ? []
      : [{ label: labels.quarantined, value: <Time at={quarantinedAt} as="dateTime" /> }]),
    { label: labels.id, value: <code>{device.id}</code> },
  ];
}

const MB_OF_GB = 1024;

export function HardwareTab({ device }: { readonly device: Device }) {
  return (
    <>
      <HardwareFacts device={device} />
      {device.volumes.length > 0 && (
        <TitledSection title={words.devicePage.volumes}>
          <VolumesTable device={device} />
        </TitledSection>
      )}
    </>
  );
}

function HardwareFacts({ device: { hardware } }: { readonly device: Device }) {
  if (hardware === null) return <p className="soft">{words.devicePage.noHardware}</p>;
  const { cpuCores, ramTotalMb, diskTotalGb } = hardware;
  const ram = ramTotalMb === null ? null : Math.round((ramTotalMb / MB_OF_GB) * 10) / 10;
  const sizeText = words.devicePage.gibibytes;
  return (
    <Facts
      facts={[
        sent(labels.manufacturer, hardware.manufacturer),
        sent(labels.model, hardware.model),
        sent(labels.serialNumber, hardware.serialNumber),
        sent(labels.cpuModel, hardware.cpuModel),
        sent(labels.cpuCores, cpuCores === null ? null : words.devicePage.cores(cpuCores)),
        sent(labels.ramTotal, ram === null ? null : sizeText(ram)),
        sent(labels.diskTotal, diskTotalGb === null ? null : sizeText(diskTotalGb)),
        sent(labels.gpuModel, hardware.gpuModel),
      ]}
    />
  );
}

interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  readonly hint?: string;
}

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly isDense?: boolean;
}

function Facts({ facts, isDense = false }: FactsProps) {
  return (
    <dl className={`${styles.facts} ${isDense ? styles.dense : ''}`}>
      {facts.map(({ label, value, hint }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value ?? (
              <span className="soft">— {hint !== undefined && <small className="note">{hint}</small>}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface TitledSectionProps {
  readonly title: string;
  readonly children: ReactNode;
}

function TitledSection({ title, children }: TitledSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {children}
    </section>
  );
}
