/** What of each stored thing is searched, and what a search shows of it (Spec: Search result item; Contract: §6). */
import type { Device } from '#domain/device/device.ts';
import type { AlertRecord, ScriptRecord } from '#domain/fleet/fleet-record.ts';
import type { SearchHit } from './search-hit.ts';

/** Spec: devices are searched by hostname, displayName and lastUser. Empty texts have nothing in them. */
export type SearchedDevice = Pick<Device, 'id' | 'hostname' | 'displayName' | 'lastUser' | 'status'>;
export type SearchedScript = Pick<ScriptRecord, 'id' | 'name' | 'description'>;
export type SearchedAlert = Pick<AlertRecord, 'id' | 'title' | 'message'>;

/** Titled by its displayName, or where that is absent or empty by its hostname; described by its status. */
export function toDeviceHit({
  id,
  hostname,
  displayName,
  status,
}: Omit<SearchedDevice, 'lastUser'>): SearchHit {
  return { id, title: displayName || hostname, description: status };
}

export function toScriptHit({ id, name, description }: SearchedScript): SearchHit {
  return { id, title: name, description: description || null };
}

export function toAlertHit({ id, title, message }: SearchedAlert): SearchHit {
  return { id, title, description: message || null };
}
