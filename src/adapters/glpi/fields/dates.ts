/** Dates and spans of time in inventories. */
import type { InventoryContent } from '#adapters/glpi/document/inventory-document.ts';
import { parseIsoInstant } from '#domain/text/iso-instant.ts';
import type { EpochMs } from '#domain/time.ts';

/**
 * When the inventory was taken: the date of its access log, or null if it has none or one that does not exist.
 *
 * The date at the end of many device ids is not used: it is that of the agent's first run, often years earlier.
 */
export function takenAt(content: InventoryContent): EpochMs | null {
  return readDate(content.accesslog?.logdate, content);
}

/**
 * How long the device had been up when the inventory was taken, in whole seconds; null if unknown. Devices queried
 * over the network report it; for others it is the time between boot and inventory.
 */
export function uptimeSeconds(content: InventoryContent): number | null {
  const { network_device: networkDevice, operatingsystem } = content;
  if (networkDevice?.uptime !== undefined) return readUptime(networkDevice.uptime);
  const taken = takenAt(content);
  const booted = readDate(operatingsystem?.boot_time, content);
  // A boot after the inventory means that the clock was set in between, or a date that does not exist.
  return taken === null || booted === null || booted > taken ? null : Math.floor((taken - booted) / 1000);
}

/** `2020-06-12 14:19:54`: local time in the operating system's zone, or UTC if it names none. */
function readDate(text: string | undefined, content: InventoryContent): EpochMs | null {
  const [, date, time, zone] = DATE_AND_TIME.exec(text ?? '') ?? [];
  if (date === undefined || time === undefined) return null;
  const localZone = content.operatingsystem?.timezone?.offset.replace(/^(...)(..)$/, '$1:$2');
  // Offsets in this format have seconds, which no zone has used for a century.
  const instant = parseIsoInstant(`${date}T${time}${zone?.slice(0, '+hh:mm'.length) ?? localZone ?? 'Z'}`);
  return instant?.epochMs ?? null;
}

const DATE_AND_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(Z|[+-]\d\d:\d\d:\d\d)?$/;

/** `(78894038) 9 days, 3:09:00.38`, the number in hundredths of a second, or either part alone. */
function readUptime(text: string): number | null {
  const [, ticks] = /^\((\d{1,15})\)/.exec(text) ?? [];
  if (ticks !== undefined) return Math.floor(Number(ticks) / 100);
  const span = /^(?:(\d{1,9}) days?, *)?(\d{1,9}):(\d\d):(\d\d)(?:\.\d+)?$/.exec(text.trim());
  if (span === null) return null;
  const [, days = '0', hours, minutes, seconds] = span;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}
