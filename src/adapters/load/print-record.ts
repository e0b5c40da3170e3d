/** Prints a record as a line of NDJSON for `readLoadFile` (Contract: §9 and §15). */
import { type DeletionRequest, verdictOf } from '#domain/deletion/deletion-request.ts';
import { hasHardware } from '#domain/device/device-row.ts';
import type { DeviceRecord, FleetRecord, LoadedUserRecord, Owner } from '#domain/fleet/fleet-record.ts';
import { printInstantOrNull } from '#domain/text/iso-instant.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { isBlank } from '#domain/text/storable-text.ts';

/** Omits members with the default value: null, false or empty. */
export function printRecord(record: FleetRecord): string {
  return `${jsonText({ kind: record.kind, ...withNameShown(membersOf(record)) })}\n`;
}

function withNameShown(members: object): object {
  return 'name' in members ? { ...members, name: shown(members.name as string) } : members;
}

/** Earlier versions accepted invisible names, which a load refuses, so their code points are printed. */
function shown(name: string): string {
  return isBlank(name) ? Array.from(name, codePoint).join(' ') : name;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function membersOf(record: FleetRecord): object {
  switch (record.kind) {
    case 'partner':
    case 'organization':
    case 'site':
      return record;
    case 'user':
      return userMembers(record);
    case 'apiKey': {
      const { permissions, expiresAt, revokedAt, createdAt, ...key } = record;
      return present({
        ...key,
        permissions: unlessEmpty(permissions),
        ...instants({ expiresAt, revokedAt, createdAt }),
      });
    }
    case 'enrolmentKey': {
      const { expiresAt, revokedAt, createdAt, ...key } = record;
      return present({ ...key, ...instants({ expiresAt, revokedAt, createdAt }) });
    }
    case 'customField': {
      const { owner, choices, kind, id, ...field } = record;
      return present({
        kind,
        id,
        ...ownerMembers(owner),
        ...field,
        choices: unlessEmpty(choices.map(shown)),
      });
    }
    case 'device':
      return deviceMembers(record);
    case 'script': {
      const { owner, kind, id, ...script } = record;
      return present({ kind, id, ...ownerMembers(owner), ...script });
    }
    case 'alert':
      return present({ ...record, title: shown(record.title), ...instants({ createdAt: record.createdAt }) });
    case 'filter': {
      const { createdAt, updatedAt, ...filter } = record;
      return present({ ...filter, ...instants({ createdAt, updatedAt }) });
    }
    case 'deletionRequest': {
      const { id, request, failures, problem, nextAttemptAt, remindedAt } = record;
      return present({
        id,
        ...requestMembers(request),
        erasureFailures: failures === 0 ? null : failures,
        erasureProblem: problem,
        ...instants({ nextErasureAt: nextAttemptAt, remindedAt }),
      });
    }
    case 'auditEntry': {
      const { id, at, actor, resourceType: _, details, ...entry } = record;
      return present({
        id,
        ...instants({ at }),
        ...{ actorType: actor.type, actorId: actor.id },
        ...entry,
        details: Object.keys(details).length === 0 ? null : details,
      });
    }
  }
}

function userMembers(user: LoadedUserRecord): object {
  const { id, email, name, membership, permissions, isPlatformAdmin, status, ...rest } = user;
  const { totpSecret, sealedTotpSecret, createdAt, updatedAt } = rest;
  const isErased = status === 'deleted';
  return present({
    id,
    ...(!isErased && { email, name }),
    ...{ password: rest.password, passwordHash: rest.passwordHash },
    ...membership,
    permissions: unlessEmpty(permissions),
    isPlatformAdmin: isPlatformAdmin || null,
    totpSecret: totpSecret ?? sealedTotpSecret,
    recoveryCodeSha256s: unlessEmpty(rest.recoveryCodeSha256s ?? []),
    status: status === 'active' ? null : status,
    ...instants({ createdAt, updatedAt }),
  });
}

function deviceMembers(device: DeviceRecord): object {
  const { enrolledAt, lastSeenAt, quarantinedAt, reportsSince, inventoriedAt, ...rest } = device;
  return present({
    ...rest,
    hostname: shown(device.hostname),
    ...instants({ enrolledAt, lastSeenAt, quarantinedAt }),
    tags: unlessEmpty(device.tags),
    rebootRequired: device.rebootRequired || null,
    hardware: hasHardware(device.hardware) ? present(device.hardware) : null,
    metrics: unlessAllNull(device.metrics),
    network: unlessEmpty(device.network.map(present)),
    software: unlessEmpty(device.software.map((one) => present({ ...one, name: shown(one.name) }))),
    volumes: unlessEmpty(device.volumes.map((one) => present({ ...one, name: shown(one.name) }))),
    patches: device.patches?.map((one) => present({ ...one, title: shown(one.title) })),
    custom: device.custom.size === 0 ? null : Object.fromEntries(device.custom),
    inventoryIds: unlessEmpty(device.inventoryIds ?? []),
    knownKeys: unlessEmpty(device.knownKeys ?? []),
    ...instants({ reportsSince, inventoriedAt }),
    makesContact: device.makesContact || null,
  });
}

/** Omits `processBy`, which follows from `requestedAt`. */
function requestMembers(request: DeletionRequest): object {
  const { userId, orgId, partnerId, status, reason, requestedAt, createdAt, updatedAt } = request;
  const verdict = verdictOf(request);
  return {
    ...{ userId, orgId, partnerId, status, reason },
    ...instants({ requestedAt, processedAt: verdict?.at }),
    processedBy: verdict?.by,
    adminNote: verdict?.note,
    ...instants({ createdAt, updatedAt }),
  };
}

function ownerMembers(owner: Owner): object {
  return owner.kind === 'organization' ? { orgId: owner.orgId } : { partnerId: owner.partnerId };
}

function instants(given: Readonly<Record<string, number | null | undefined>>): object {
  return Object.fromEntries(
    Object.entries(given).map(([name, at]) => [name, printInstantOrNull(at ?? null)]),
  );
}

function present(members: object): object {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined),
  );
}

function unlessEmpty<T>(items: readonly T[]): readonly T[] | null {
  return items.length === 0 ? null : items;
}

function unlessAllNull(values: object): object | null {
  const known = present(values);
  return Object.keys(known).length === 0 ? null : known;
}
