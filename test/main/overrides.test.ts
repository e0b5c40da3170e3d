/** What an embedder can replace: parts, and single ports of any backend. */
import { compose, type Overrides } from 'fleetsift';
import { createMemoryBackend } from 'fleetsift/memory';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCall } from '#application/call.ts';
import type { DeviceMatcher } from '#application/ports/filters/device-matcher.ts';
import type { SilenceMarker } from '#application/ports/fleet/silence-marker.ts';
import { SYSTEM_SCOPE } from '#domain/access/access-scope.ts';
import { ok } from '#domain/result.ts';
import { newId } from '#test/support/builders.ts';
import { and } from '#test/support/filters.ts';
import { createTenant } from '#test/support/tenant.ts';

const CONFIG = { databaseUrl: null, logLevel: 'silent' } as const;
const TAGLESS = and({ field: 'tags', operator: 'isEmpty' });

async function open(overrides: Overrides) {
  const service = await compose(CONFIG, { backend: createMemoryBackend(), ...overrides });
  onTestFinished(() => service.close());
  return service;
}

const call = makeCall({ userId: newId(), scope: SYSTEM_SCOPE, requestId: 'overrides' });

describe('compose', () => {
  test('takes a single port, and keeps the others of the backend', async () => {
    const backend = createMemoryBackend();
    const matcher: DeviceMatcher = {
      ...backend.matcher,
      preview: async () => ok({ totalCount: 77, devices: [] }),
    };
    const service = await open({ backend, matcher });
    const preview = await service.filters.previewConditions(call, { conditions: TAGLESS, limit: undefined });
    expect(preview).toMatchObject({ ok: true, value: { totalCount: 77 } });
    expect(service.backend.matcher).toBe(matcher);
    expect(service.backend.searcher).toBe(backend.searcher);
    expect((await service.app.request('/healthz')).status).toBe(200);
  });

  test('takes the two ports that share a name with use cases under other names', async () => {
    const { filters, customFields } = createMemoryBackend();
    const service = await open({ savedFilters: filters, customFieldSource: customFields });
    expect(service.backend.filters).toBe(filters);
    expect(service.backend.customFields).toBe(customFields);
    expect(service.filters.previewConditions).toBeTypeOf('function');
  });

  test('takes parts beside ports, and treats undefined as not given', async () => {
    const clock = () => 1_000;
    const service = await open({ clock, matcher: undefined, newId: undefined } as unknown as Overrides);
    expect(service.clock).toBe(clock);
    expect(service.newId()).toMatch(/^[0-9a-f-]{36}$/);
    expect(service.backend.matcher.preview).toBeTypeOf('function');
  });

  test('starts a worker only with a mail sender', async () => {
    const settings = { baseUrl: 'http://127.0.0.1', intervalMs: 60_000 };
    const without = await open({});
    expect(() => without.startWorker(settings)).toThrow('startWorker needs a sendMail');
    const service = await open({ sendMail: async () => ({ result: 'sent' }) });
    await service.startWorker(settings).stop(1_000);
  });

  test.each([
    ['two contacts, or an hour past the expiry of an inventory', {}, {}, [35, 1_500]],
    ['the same by other intervals', { contactMinutes: 60, inventoryExpirationHours: 168 }, {}, [125, 10_140]],
    [
      'the minutes that the worker is given',
      { inventoryExpirationHours: 168 },
      { offlineAfterMinutes: 600 },
      [600, 600],
    ],
  ])('lets machines be silent for %s (%j, %j)', async (_, config, told, minutes) => {
    const now = Date.UTC(2026, 1, 10, 8);
    const asked: (number | undefined)[][] = [];
    const markSilent: SilenceMarker = async ({ contacts, reports }) => {
      asked.push([contacts, reports].map((span) => (span === null ? undefined : now - span.from)));
      return 0;
    };
    const since = { contacts: 0, reports: 0 };
    const service = await compose(
      { ...CONFIG, ...config },
      {
        backend: createMemoryBackend(),
        clock: () => now,
        sendMail: async () => ({ result: 'sent' }),
        markSilent,
        noteHearing: async () => ({ heardAt: now, since }),
      },
    );
    onTestFinished(() => service.close());
    const worker = service.startWorker({ baseUrl: 'http://127.0.0.1', intervalMs: 10, ...told });
    onTestFinished(() => worker.stop(1_000));
    await expect.poll(() => asked[0]).toStrictEqual(minutes.map((each) => each * 60_000));
  });
});

describe('makeCall', () => {
  test('makes calls that run and are audited as the named user', async () => {
    const backend = createMemoryBackend();
    const tenant = await createTenant(backend);
    const service = await open({ backend });
    const asUser = makeCall({
      userId: tenant.userId,
      scope: { kind: 'organization', orgId: tenant.orgId },
      permissions: ['devices:write'],
      requestId: 'made-by-hand',
    });
    const created = await service.filters.createFilter(asUser, {
      name: 'Tagless',
      description: undefined,
      conditions: TAGLESS,
      orgId: undefined,
      partnerId: undefined,
    });
    expect(created.ok).toBe(true);
    expect((await backend.auditEntries()).at(-1)).toMatchObject({
      actor: { type: 'user', id: tenant.userId },
      requestId: 'made-by-hand',
    });
  });
});
