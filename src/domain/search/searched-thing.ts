/** What of each stored thing is searched, and what a search shows of it (Spec: Search result item; Contract: §6). */
import type { Device } from '#domain/device/device.ts';
import type { AlertRecord, ScriptRecord } from '#domain/fleet/fleet-record.ts';
import type { SearchHit } from './search-hit.ts';

/** The parts of a device, script or alert that a search has to do with. */
export type SearchedDevice = Pick<Device, 'id' | 'hostname' | 'displayName' | 'lastUser' | 'status'>;
export type SearchedScript = Pick<ScriptRecord, 'id' | 'name' | 'description'>;
export type SearchedAlert = Pick<AlertRecord, 'id' | 'title' | 'message'>;

/** The texts that a device is found by. */
export function textsOfDevice({
  hostname,
  displayName,
  lastUser,
}: SearchedDevice): readonly (string | null)[] {
  return [hostname, displayName, lastUser];
}

/** The texts that a script is found by. */
export function textsOfScript({ name, description }: SearchedScript): readonly (string | null)[] {
  return [name, description];
}

/** The texts that an alert is found by. */
export function textsOfAlert({ title, message }: SearchedAlert): readonly (string | null)[] {
  return [title, message];
}

/** Titled by its displayName, or where that is absent or empty by its hostname; described by its status. */
export function toDeviceHit({
  id,
  hostname,
  displayName,
  status,
}: Omit<SearchedDevice, 'lastUser'>): SearchHit {
  return { id, title: displayName || hostname, description: status };
}

/** Titled by its name; an empty description is none. */
export function toScriptHit({ id, name, description }: SearchedScript): SearchHit {
  return { id, title: name, description: description || null };
}

/** Described by its message; an empty one is none. */
export function toAlertHit({ id, title, message }: SearchedAlert): SearchHit {
  return { id, title, description: message || null };
}
