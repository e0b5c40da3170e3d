/** `watch`: prints which devices enter and leave a saved filter (Contract: §17). */
import { Command } from 'commander';
import { type CliRuntime, CommandFailed } from '#adapters/cli/cli-runtime.ts';
import { withBackend } from '#adapters/cli/open-service.ts';
import { explainError, operatorCall, operatorDeps } from '#adapters/cli/operator-call.ts';
import { onStopSignal } from '#adapters/cli/service/stop-signals.ts';
import { findFilter, findOrganization } from '#adapters/cli/tenants/find-tenant.ts';
import { print, report } from '#adapters/cli/terminal/door.ts';
import { formatTime } from '#adapters/cli/terminal/format-text.ts';
import type { Backend } from '#application/backend.ts';
import type { LiveUseCases } from '#application/live/live-use-cases.ts';
import type { FilterId, SubscriptionId } from '#domain/ids.ts';
import type { MembershipChange } from '#domain/membership/membership-change.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import { visibleName } from '#domain/text/visible-text.ts';

interface WatchOptions {
  readonly org?: string;
  readonly json?: boolean;
}

export function watchCommand(runtime: CliRuntime): Command {
  return new Command('watch')
    .description('Print which devices enter and leave a saved filter, until it is stopped')
    .argument('<filter>', 'the saved filter, by id or name')
    .option('--org <org>', 'the organization of the filter, by id or name')
    .option('--json', 'one JSON object per line')
    .addHelpText(
      'after',
      '\nA running service (serve or work) evaluates the filter. If nothing is subscribed to it yet, a subscription\nnamed "fleetsift watch" is there meanwhile.',
    )
    .action((filter: string, options: WatchOptions) =>
      withBackend(runtime, async (backend) => {
        const { org } = options;
        const orgId = org === undefined ? undefined : await findOrganization(backend, org);
        await watch(runtime, backend, await findFilter(backend, orgId, filter), options);
      }),
    );
}

async function watch(
  runtime: CliRuntime,
  backend: Backend,
  filterId: FilterId,
  { json = false }: WatchOptions,
): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const unhear = onStopSignal(() => stopping.abort());
  const live = await makeOperatorLive(runtime, backend);
  const call = operatorCall(runtime, signal);
  const subscriptions = await live.listSubscriptions(call, filterId);
  const active = subscriptions.find(({ state }) => state === 'active')?.id;
  const id = active ?? (await subscribe(runtime, live, filterId));
  try {
    const pages = await live.followChanges(call, id, null, () => signal.aborted);
    if (!pages.ok) throw new CommandFailed(explainError(pages.error, {}));
    report('watching; stop with Ctrl-C');
    for await (const page of pages.value) for (const change of page?.changes ?? []) print(line(change, json));
    if (!signal.aborted) throw new CommandFailed('the changes can no longer be followed; start again');
  } finally {
    if (active === undefined) await live.deleteSubscription(operatorCall(runtime), id);
    unhear();
  }
}

async function subscribe(
  runtime: CliRuntime,
  live: LiveUseCases,
  filterId: FilterId,
): Promise<SubscriptionId> {
  const input = { filterId, name: 'fleetsift watch', kind: 'feed' };
  const created = await live.createSubscription(operatorCall(runtime), input);
  if (!created.ok) throw new CommandFailed(explainError(created.error, { filterId: 'FILTER' }));
  return created.value.subscription.id;
}

function line(change: MembershipChange & { readonly cursor?: string }, json: boolean): string {
  const { cursor: _, ...told } = change;
  if (json) return JSON.stringify({ ...told, at: printInstant(told.at) });
  if (!('cause' in told)) return `${formatTime(told.at)}  ${told.type}`;
  const name = told.hostname === null ? told.deviceId : visibleName(told.hostname);
  return `${formatTime(told.at)}  ${told.type.padEnd(7)}  ${name}  (${told.cause})`;
}

async function makeOperatorLive(runtime: CliRuntime, backend: Backend): Promise<LiveUseCases> {
  const { makeLiveUseCases } = await import('#application/live/live-use-cases.ts');
  return makeLiveUseCases({
    ...backend,
    ...operatorDeps(runtime, 'watch'),
    // Cursors stay in this process, so they need no signature.
    cursors: { seal: (text) => text, open: (text) => text },
    ...{ allowsPrivate: false, secrets: { webhookSecret: () => '' } },
  });
}
