/** A fleet that a small regular expression takes very long on, and ways to watch who is busy with it. */
import type { DeviceMatcher, MatchRequest } from '#application/ports/filters/device-matcher.ts';
import { aDevice, SYSTEM_SCOPE } from '#test/support/builders.ts';
import type { PostgresWorld, WorldRole } from '#test/support/database/postgres-world.ts';
import { until } from '#test/support/database/until.ts';
import { and, parseFilter } from '#test/support/filters.ts';
import { createTenant, loadFleet } from '#test/support/tenant.ts';

/** Longer than any test runs, for all those names; its check takes a millisecond. */
export const SLOW_PATTERN = '(a?){250}a{250}';

/** Takes some seconds to compile, whatever text it is tried on, and is then refused. */
export const SLOW_TO_COMPILE = '((a{0,255}){0,20}){0,5}';

/** How many devices match `CHEAP`: more than a stream hands over at once. */
export const SLOW_FLEET_SIZE = 3_000;

export const CHEAP = and({ field: 'status', operator: 'equals', value: 'online' });
export const SLOW = and({ field: 'hostname', operator: 'matches', value: SLOW_PATTERN });

/** Devices with long dull names. */
export async function loadSlowFleet({ backend }: Pick<PostgresWorld, 'backend'>): Promise<void> {
  const { orgId } = await createTenant(backend);
  await loadFleet(
    backend,
    Array.from({ length: SLOW_FLEET_SIZE }, (_, i) => aDevice({ orgId, hostname: `${'a'.repeat(100)}${i}` })),
  );
}

/** A request in the scope of the system, unless another is given. */
export function requestFor(group: unknown, given: Partial<MatchRequest> = {}): MatchRequest {
  return { filter: parseFilter(group), scope: SYSTEM_SCOPE, at: 0, onBehalfOf: 'somebody', ...given };
}

/** The total of a preview, or the kind of its refusal. */
export async function previewTotal(
  matcher: DeviceMatcher,
  group: unknown,
  given: Partial<MatchRequest> = {},
): Promise<number | string> {
  const found = await matcher.preview(requestFor(group, given), 1);
  return found.ok ? found.value.totalCount : found.error.kind;
}

/** The server's processes for a role, of connections that the service opened. */
export async function backendsOf(
  { query }: PostgresWorld,
  role: WorldRole,
  state?: 'active' | 'idle' | 'idle in transaction',
): Promise<number[]> {
  const rows = await query<{ pid: number }>(
    'owner',
    `select pid from pg_stat_activity
     where datname = current_database() and usename = current_database() || $1 and pid <> pg_backend_pid()
       and application_name like 'test ' || $2 || ' %' and ($3::text is null or state = $3) order by pid`,
    [`_${role}`, role, state ?? null],
  );
  return rows.map(({ pid }) => pid);
}

/** Waits until so many of the role's connections are at work. */
export async function untilBusy(world: PostgresWorld, role: WorldRole, count: number): Promise<void> {
  await until(async () => (await backendsOf(world, role, 'active')).length === count);
}

/** Kills server processes, as a failover or an operator would, and waits until they are gone. */
export async function terminate(world: PostgresWorld, pids: readonly number[]): Promise<void> {
  await world.query('owner', 'select pg_terminate_backend(pid) from unnest($1::int[]) pid', [pids]);
  await until(async () => {
    const left = await world.query('owner', 'select 1 from pg_stat_activity where pid = any($1)', [pids]);
    return left.length === 0;
  });
}
