import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { isPlaceholder } from '#domain/inventory/machine-keys.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import { isBlank } from '#domain/text/storable-text.ts';
import type { EpochMs } from '#domain/time.ts';

export function firstText(...texts: readonly (string | undefined)[]): string | null {
  for (const text of texts) {
    if (text !== undefined && !isBlank(text)) return text.trim();
  }
  return null;
}

export function nameplateText(...texts: readonly (string | undefined)[]): string | null {
  return firstText(...texts.filter((text) => text !== undefined && !isPlaceholder(text)));
}

export function hostname({ hardware, network_device, operatingsystem }: InventoryContent): string | null {
  return firstText(network_device?.name, hardware?.name, operatingsystem?.fqdn);
}

/** False for a partial inventory that names only the domain name, while `hardware` has another name. */
export function carriesHostname(content: InventoryContent): boolean {
  const { hardware, network_device } = content;
  return (hardware !== undefined || network_device !== undefined) && hostname(content) !== null;
}

/** Network devices often report "missing". */
export function agentVersion({ versionclient }: InventoryContent): string | null {
  const version = firstText(versionclient);
  return version === 'missing' ? null : version;
}

/** The date of the access log. The date in a device id is that of the agent's first run, often years earlier. */
export function takenAt(content: InventoryContent): EpochMs | null {
  return readDate(content.accesslog?.logdate, content);
}

/** In seconds. Only network devices report it; for others see `bootedAt`. */
export function uptimeSeconds({ network_device: networkDevice }: InventoryContent): number | null {
  return networkDevice?.uptime === undefined ? null : readUptime(networkDevice.uptime);
}

/** Null for a date that does not exist, which some agents write. */
export function bootedAt(content: InventoryContent): EpochMs | null {
  return readDate(content.operatingsystem?.boot_time, content);
}

/** Reads `2020-06-12 14:19:54` in the system's zone, or UTC. */
function readDate(text: string | undefined, content: InventoryContent): EpochMs | null {
  const [, date, time, zone] = DATE_AND_TIME.exec(text ?? '') ?? [];
  if (date === undefined || time === undefined) return null;
  const localZone = content.operatingsystem?.timezone?.offset.replace(/^(...)(..)$/, '$1:$2');
  // Offsets in the format have seconds, which are cut off: no zone has used them for a century.
  const instant = parseIsoInstant(`${date}T${time}${zone?.slice(0, '+hh:mm'.length) ?? localZone ?? 'Z'}`);
  return instant?.epochMs ?? null;
}

const DATE_AND_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d:\d\d)?$/;

/** Reads `(78894038) 9 days, 3:09:00.38`, where the number is in hundredths of a second, or either part alone. */
function readUptime(text: string): number | null {
  const [, ticks] = /^\((\d{1,15})\)/.exec(text) ?? [];
  if (ticks !== undefined) return Math.floor(Number(ticks) / 100);
  const span = /^(?:(\d{1,9}) days?, *)?(\d{1,9}):(\d\d):(\d\d)(?:\.\d+)?$/.exec(text.trim());
  if (span === null) return null;
  const [, days = '0', hours, minutes, seconds] = span;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}
