/** `device delete`, `merge` and `duplicates` follow the rules of the matching requests under `/devices`. */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { systemEntry } from '#adapters/cli/system-entry.ts';
import { findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print } from '#adapters/cli/terminal/door.ts';
import { printList } from '#adapters/cli/terminal/format-text.ts';
import type { ApplicationError } from '#application/application-error.ts';
import type { ActionFacts } from '#application/audit/make-entry.ts';
import type { Backend } from '#application/backend.ts';
import type { DeviceEnds, EndedDevice } from '#application/devices/end-devices.ts';
import { type AccessScope, SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { type DeviceId, parseId } from '#domain/ids.ts';
import type { Result } from '#domain/result.ts';
import { visibleName } from '#domain/text/visible-text.ts';

export function deleteCommand(runtime: CliRuntime): Command {
  return new Command('delete')
    .description(
      'Delete a device with all that belongs to it; its machine is a new device when it reports again',
    )
    .argument('<id>', 'the id of the device')
    .action(async (typed: string) => {
      const id = readId(typed);
      const gone = await end(runtime, (ends) =>
        ends.remove(operator(runtime, 'device delete'), id, { kind: 'none' }),
      );
      print(`deleted ${visibleName(gone.displayName ?? gone.hostname)}`);
    });
}

export function mergeCommand(runtime: CliRuntime): Command {
  return new Command('merge')
    .description('Merge two devices of an organization that are the same machine')
    .argument('<id>', 'the device that stays')
    .argument('<other>', 'the device that becomes part of it')
    .option('--force', 'even if their serial numbers or UUIDs differ')
    .action(async (typed: string, other: string, { force }: { readonly force?: true }) => {
      const id = readId(typed);
      const input = { deviceId: readId(other), force };
      const gone = await end(runtime, (ends) => ends.merge(operator(runtime, 'device merge'), id, input));
      print(`merged; ${visibleName(gone.displayName ?? gone.hostname)} is gone`);
    });
}

function readId(typed: string): DeviceId {
  const id = parseId<'device'>(typed);
  if (id === null) throw new CommandFailed(`there is no such device: ${typed}; a device is named by its id`);
  return id;
}

function operator(runtime: CliRuntime, command: string) {
  const makeEntry = (facts: ActionFacts) => systemEntry(runtime, { ...facts, command });
  return { scope: SYSTEM_SCOPE, makeEntry };
}

async function end(
  runtime: CliRuntime,
  work: (ends: DeviceEnds) => Promise<Result<EndedDevice, ApplicationError>>,
): Promise<EndedDevice> {
  const { makeDeviceEnds } = await import('#application/devices/end-devices.ts');
  const done = await withBackend(runtime, (backend) => work(makeDeviceEnds(backend)));
  if (!done.ok) throw new CommandFailed(EXPLANATIONS[done.error.code] ?? done.error.detail);
  return done.value;
}

const EXPLANATIONS: Partial<Record<ApplicationError['code'], string>> = {
  not_found: 'there is no such device, or the two belong to different organizations',
  different_machines:
    'the serial numbers of the two devices differ, or else their UUIDs, so they are two machines; --force merges them nevertheless',
};

interface DuplicatesOptions {
  readonly org?: string;
  readonly json?: true;
}

export function duplicatesCommand(runtime: CliRuntime): Command {
  return new Command('duplicates')
    .description('List devices that are probably the same machine, the most likely first')
    .option('--org <org>', 'only those of this organization, by id or name')
    .option('--json', 'as JSON')
    .action(async ({ org, json }: DuplicatesOptions) => {
      const groups = await withBackend(runtime, (backend) => findGroups(backend, org));
      const rows = groups.flatMap(({ devices, because }, i) =>
        devices.map(({ id, name, organization }) => [`${i + 1}`, name, id, organization, because.join(', ')]),
      );
      printList(json, groups, HEADINGS, rows, 'no duplicates');
    });
}

const HEADINGS = ['GROUP', 'DEVICE', 'ID', 'ORGANIZATION', 'BECAUSE'];

async function findGroups(backend: Backend, org: string | undefined) {
  const { findDuplicates } = await import('#domain/inventory/find-duplicates.ts');
  const scope: AccessScope =
    org === undefined ? SYSTEM_SCOPE : { kind: 'organization', orgId: await findOrganization(backend, org) };
  const sharers = await backend.deviceReader.keySharers({ scope, onBehalfOf: 'command line' });
  if (!sharers.ok) throw new CommandFailed('it took too long; narrow it to one organization with --org');
  const groups = [];
  for (const { ids, because } of findDuplicates(sharers.value)) {
    const devices = [];
    for (const id of ids) {
      const found = await backend.deviceReader.find(scope, id);
      if (found === null) continue;
      const { device, organization } = found;
      const { hostname, displayName } = device;
      devices.push({
        id,
        name: displayName ?? hostname,
        hostname,
        displayName,
        organization: organization.name,
      });
    }
    if (devices.length > 1) groups.push({ devices, because });
  }
  return groups;
}
