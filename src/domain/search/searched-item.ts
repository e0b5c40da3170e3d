/**
 * Which texts of an item are searched, and how it appears in the results (Spec: Search result item; Contract: §6).
 */
import type { Device } from '#domain/device/device.ts';
import type { AlertRecord, ScriptRecord } from '#domain/fleet/fleet-record.ts';
import type { SearchedField, SearchHit } from './search-hit.ts';

/** The members of devices, scripts and alerts that a search reads. */
export type SearchedDevice = Pick<Device, 'id' | 'hostname' | 'displayName' | 'lastUser' | 'status'>;

/** The members of a script that a search reads. */
export type SearchedScript = Pick<ScriptRecord, 'id' | 'name' | 'description'>;

/** The searched members of an alert. */
export type SearchedAlert = Pick<AlertRecord, 'id' | 'title' | 'message'>;

/** In the order of spec.md: hostname, displayName, lastUser. */
export function textsOfDevice({
  hostname,
  displayName,
  lastUser,
}: SearchedDevice): readonly (string | null)[] {
  return [hostname, displayName, lastUser];
}

/** Name, then description. */
export function textsOfScript({ name, description }: SearchedScript): readonly (string | null)[] {
  return [name, description];
}

/** Title, then message. */
export function textsOfAlert({ title, message }: SearchedAlert): readonly (string | null)[] {
  return [title, message];
}

/** The title is displayName, or hostname if that is absent or empty; the description is the status. */
export function toDeviceHit({ id, hostname, displayName, lastUser, status }: SearchedDevice): SearchHit {
  // Without a displayName, the hostname is the title.
  const beside = fieldsOf({ hostname: displayName ? hostname : null, lastUser });
  return { id, title: displayName || hostname, description: status, beside };
}

/** An empty description counts as absent. */
export function toScriptHit({ id, name, description }: SearchedScript): SearchHit {
  return { id, title: name, description: description || null, beside: fieldsOf({ description }) };
}

/** The description is the message; an empty one counts as absent. */
export function toAlertHit({ id, title, message }: SearchedAlert): SearchHit {
  return { id, title, description: message || null, beside: fieldsOf({ message }) };
}

function fieldsOf(texts: Readonly<Record<string, string | null>>): readonly SearchedField[] {
  return Object.entries(texts).flatMap(([field, value]) => (value ? [{ field, value }] : []));
}
