import type { Subscription } from '#adapters/http/api-types.ts';
import type { SubscriptionSettings } from '#console/api/live.ts';
import type { SubscriptionKind } from '#domain/membership/subscription.ts';

export interface SubscriptionDraft {
  readonly kind: SubscriptionKind;
  readonly name: string;
  readonly url: string;
  readonly recipients: readonly string[];
  readonly notify: 'changes' | 'above' | 'below';
  /** The number of devices that triggers a notification, as typed. */
  readonly line: string;
  readonly batchMinutes: string;
  /** A filter change that moves more devices in or out has to be confirmed; blank for no limit. */
  readonly guardDevices: string;
  readonly guardPercent: string;
}

export function emptyDraft(ownId: string): SubscriptionDraft {
  return {
    ...{ kind: 'feed', name: '', url: '', recipients: [ownId] },
    ...{ notify: 'changes', line: '', batchMinutes: '15', guardDevices: '', guardPercent: '' },
  };
}

export function draftOf(subscription: Subscription): SubscriptionDraft {
  const { kind, name, url, recipients, notify, batchSeconds, guard } = subscription;
  const line = lineOf(notify);
  return {
    ...{ kind, name, url: url ?? '', recipients: recipients ?? [] },
    ...{ notify: line?.kind ?? 'changes', line: line === null ? '' : String(line.devices) },
    batchMinutes: String((batchSeconds ?? 900) / 60),
    guardDevices: String(guard?.devices ?? ''),
    guardPercent: String(guard?.percent ?? ''),
  };
}

export interface Line {
  readonly kind: 'above' | 'below';
  readonly devices: number;
}

export function lineOf(notify: Subscription['notify']): Line | null {
  if (notify === null || notify === 'changes') return null;
  return 'above' in notify
    ? { kind: 'above', devices: notify.above }
    : { kind: 'below', devices: notify.below };
}

export function missingIn(draft: SubscriptionDraft): ReadonlySet<keyof SubscriptionDraft> {
  const missing = new Set<keyof SubscriptionDraft>();
  if (draft.name.trim() === '') missing.add('name');
  if (draft.kind === 'webhook' && draft.url.trim() === '') missing.add('url');
  if (draft.kind === 'mail') {
    if (draft.recipients.length === 0) missing.add('recipients');
    if (draft.notify === 'changes') {
      if (!(Number(draft.batchMinutes) > 0)) missing.add('batchMinutes');
    } else if (!/^\s*\d+\s*$/.test(draft.line)) missing.add('line');
  }
  if (!/^\s*\d*\s*$/.test(draft.guardDevices)) missing.add('guardDevices');
  const percent = Number(draft.guardPercent);
  if (!(percent >= 0 && percent <= 100)) missing.add('guardPercent');
  return missing;
}

export function toSettings(draft: SubscriptionDraft): SubscriptionSettings {
  const common = { name: draft.name.trim(), guard: toGuard(draft) };
  if (draft.kind === 'feed') return common;
  if (draft.kind === 'webhook') return { ...common, url: draft.url.trim() };
  const mail = { ...common, recipients: [...draft.recipients] };
  if (draft.notify === 'changes') {
    return { ...mail, notify: 'changes', batchSeconds: Math.round(Number(draft.batchMinutes) * 60) };
  }
  const line = Number(draft.line);
  return { ...mail, notify: draft.notify === 'above' ? { above: line } : { below: line } };
}

function toGuard({ guardDevices, guardPercent }: SubscriptionDraft): Subscription['guard'] {
  const guard = {
    ...(guardDevices.trim() !== '' && { devices: Number(guardDevices) }),
    ...(guardPercent.trim() !== '' && { percent: Number(guardPercent) }),
  };
  return Object.keys(guard).length === 0 ? null : guard;
}
