import type {
  DeviceInventory,
  InventoriedFields,
  PartialFields,
} from '#domain/inventory/device-inventory.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { unindexableReason } from '#domain/text/storable-text.ts';
import type { InventoryContent, InventoryDocument } from './document/inventory-document.ts';
import { schemaFaults } from './document/inventory-schema.ts';
import {
  itemTypeOf,
  oversizedLists,
  refusalOf,
  syntaxRefusalOf,
  unstorableFaults,
} from './document/recognize-document.ts';
import { carriesRole, deviceRole } from './fields/device-role.ts';
import { carriedHardware, hardware, reportedIdentity } from './fields/hardware.ts';
import { carriesNetwork, network } from './fields/network.ts';
import { architecture, lastUser, osBuild, osType, osVersion, software } from './fields/operating-system.ts';
import {
  agentVersion,
  bootedAt,
  carriesHostname,
  firstText,
  hostname,
  takenAt,
  uptimeSeconds,
} from './fields/texts.ts';
import { diskPercent, volumes } from './fields/volumes.ts';

/** Contract: §9, "Import". Each fault continues a sentence that begins with the file's name. */
export function readInventory(text: string): Result<DeviceInventory, readonly string[]> {
  const json = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return err([syntaxRefusalOf(json, error)]);
  }
  return readInventoryValue(value);
}

/** `isBrief` stops at the first fault. */
export function readInventoryValue(
  value: unknown,
  { isBrief = false } = {},
): Result<DeviceInventory, readonly string[]> {
  const refusal = refusalOf(value);
  if (refusal !== null) return err([refusal]);
  const oversized = oversizedLists(value as object);
  if (oversized.length > 0) return err(oversized);
  const faults = schemaFaults(value, isBrief);
  if (faults.length > 0) return err(faults);
  const inventory = toInventory(value as InventoryDocument);
  const unstorable = unstorableFaults(inventory);
  return unstorable.length > 0 ? err(unstorable) : ok(inventory);
}

function toInventory(document: InventoryDocument): DeviceInventory {
  const { content, deviceid } = document;
  const header = {
    inventoryId: deviceid,
    identity: reportedIdentity(content),
    takenAt: takenAt(content),
    bootedAt: bootedAt(content),
    tag: tagOf(document),
  };
  const fields = inventoriedFields(document);
  return document.partial === true
    ? { ...header, kind: 'partial', fields: carriedFields(document, fields) }
    : { ...header, kind: 'full', fields };
}

function tagOf(document: InventoryDocument): string | null {
  const tag = firstText(document.tag);
  return tag === null || unindexableReason(tag) !== null ? null : tag;
}

function inventoriedFields(document: InventoryDocument): InventoriedFields {
  const { content, deviceid } = document;
  return {
    hostname: hostname(content) ?? deviceid,
    deviceRole: deviceRole(itemTypeOf(document), content),
    osType: osType(content.operatingsystem),
    osVersion: osVersion(content),
    osBuild: osBuild(content.operatingsystem),
    architecture: architecture(content),
    agentVersion: agentVersion(content),
    lastUser: lastUser(content),
    uptimeSeconds: uptimeSeconds(content),
    hardware: hardware(content),
    network: network(content),
    software: software(content),
    ...carriedMetrics(content),
  };
}

/** Volumes and metrics are absent if the inventory does not report them, even if it is a full one (Contract: §13). */
function carriedMetrics({
  drives,
  network_device,
}: InventoryContent): Pick<InventoriedFields, 'volumes' | 'metrics'> {
  const cpuPercent = network_device?.cpu;
  const metrics = {
    ...(drives !== undefined && { diskPercent: diskPercent(drives) }),
    ...(isPercent(cpuPercent) && { cpuPercent }),
  };
  return {
    ...(drives !== undefined && { volumes: volumes(drives) }),
    ...(Object.keys(metrics).length > 0 && { metrics }),
  };
}

function isPercent(value: number | undefined): value is number {
  return value !== undefined && value >= 0 && value <= 100;
}

/**
 * The fields that a partial inventory sets (Contract: §9, "Import"). Where it has no value, the device keeps
 * its own. It also keeps a value that a missing section decides, because agents leave unchanged sections out.
 * Lists are always complete, so an empty list empties the device's.
 */
function carriedFields(document: InventoryDocument, fields: InventoriedFields): PartialFields {
  const { content } = document;
  const { hardware, ...others } = fields;
  const hasSystem = content.operatingsystem !== undefined;
  const isCarried: Readonly<Record<keyof typeof others, boolean>> = {
    hostname: carriesHostname(content),
    deviceRole: carriesRole(itemTypeOf(document), content),
    osType: fields.osType !== null || content.operatingsystem?.name !== undefined,
    osVersion: fields.osVersion !== null && (hasSystem || content.network_device !== undefined),
    osBuild: fields.osBuild !== null,
    architecture: fields.architecture !== null && hasSystem && content.cpus !== undefined,
    agentVersion: fields.agentVersion !== null,
    lastUser: fields.lastUser !== null && content.hardware !== undefined,
    uptimeSeconds: fields.uptimeSeconds !== null,
    network: carriesNetwork(content),
    software: content.softwares !== undefined,
    volumes: true,
    metrics: true,
  };
  const carried = Object.entries(others).filter(([name]) => isCarried[name as keyof typeof isCarried]);
  const parts = carriedHardware(content, hardware);
  return {
    ...Object.fromEntries(carried),
    ...(Object.keys(parts).length > 0 && { hardware: parts }),
  };
}
