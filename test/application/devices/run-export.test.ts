/** How exports end, and how the audit log records the end. */
import { describe, expect, test } from 'vitest';
import { asDenied, makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { Call } from '#application/call.ts';
import { makeRunExport, type RunExportDeps } from '#application/devices/run-export.ts';
import { MatchStreamError } from '#application/ports/filters/device-matcher.ts';
import type { DeviceExporter } from '#application/ports/fleet/device-exporter.ts';
import { type AccessScope, NO_SCOPE } from '#domain/access/access-scope.ts';
import type { AuditEntry } from '#domain/audit/audit-entry.ts';
import { ownColumn } from '#domain/export/export-column.ts';
import { aCall, fixedClock, newId, orgScope, partnerScope, SYSTEM_SCOPE } from '#test/support/builders.ts';
import { and, parseFilter } from '#test/support/filters.ts';

const ORG_ID = newId<'organization'>();
const QUERY = {
  filter: parseFilter(and({ field: 'status', operator: 'equals', value: 'online' })),
  scope: orgScope(ORG_ID),
  filterId: null,
  orgId: ORG_ID,
};

function make(deviceExporter: DeviceExporter, given: Partial<RunExportDeps> = {}) {
  const entries: AuditEntry[] = [];
  const lines: unknown[] = [];
  const auditLog = async (entry: AuditEntry) => void entries.push(entry);
  const clock = fixedClock();
  const makeEntry = makeEntryFactory({ clock, newId });
  const note = (facts: object, message: string) => void lines.push([message, facts]);
  const deps: RunExportDeps = {
    ...{ deviceExporter, auditLog, clock, makeEntry },
    deny: makeDeny({ makeEntry, auditLog }),
    log: { debug: note, info: note, warn: note, error: note },
    ...given,
  };
  const run = (facts: Partial<Call> = {}) =>
    makeRunExport(deps)(aCall({}, facts), QUERY, 'csv', [ownColumn('site')]);
  const begin = async (facts?: Partial<Call>) => {
    const begun = await run(facts);
    if (!begun.ok) throw new Error(begun.error.code);
    return begun.value;
  };
  const onRecord = () =>
    entries.map(({ action, result, orgId, details }) => ({ action, result, orgId, details }));
  return { run, begin, onRecord, lines };
}

const FACTS = { conditionFields: ['status'], columns: ['site'], format: 'csv' };
const WHOLE = { action: 'device.export', result: 'success', orgId: ORG_ID, details: { ...FACTS, rows: 3 } };
const cutOff = (rows: number, reason: string) => ({
  action: 'device.export',
  orgId: ORG_ID,
  ...asDenied(reason),
  details: { ...FACTS, rows, reason },
});

/** Three devices in two batches. `end` runs after the first batch. */
const exporter = (end: () => void | Promise<void> = () => undefined): DeviceExporter =>
  async function* () {
    yield [['1'], ['2']];
    await end();
    yield [['3']];
  };

test('an export that is read to its end is audited as a success before the end is handed over', async () => {
  const { begin, onRecord } = make(exporter());
  const { pieces, rowCount } = await begin();
  const taken: unknown[] = [];
  for await (const piece of pieces) taken.push([piece, rowCount(), onRecord()]);
  expect(taken).toStrictEqual([
    ['site\r\n', 0, []],
    ['1\r\n2\r\n', 2, []],
    ['3\r\n', 3, []],
  ]);
  expect(onRecord()).toStrictEqual([WHOLE]);
});

test('an export continues as long as its caller still reaches its organization', async () => {
  for (const reach of [SYSTEM_SCOPE, partnerScope(newId(), [ORG_ID, newId()])]) {
    const { begin, onRecord } = make(exporter());
    const { pieces } = await begin({ reachNow: async () => reach });
    expect(await Array.fromAsync(pieces)).toHaveLength(3);
    expect(onRecord()).toStrictEqual([WHOLE]);
  }
});

test('an export without devices is a success as well', async () => {
  const { begin, onRecord } = make(async function* () {});
  const { pieces } = await begin();
  expect(await Array.fromAsync(pieces)).toStrictEqual(['site\r\n']);
  expect(onRecord()).toMatchObject([{ result: 'success', details: { rows: 0 } }]);
});

describe('an export that is cut off is audited with the rows handed over', () => {
  test('when its reader stops', async () => {
    let isLeft = false;
    const { begin, onRecord } = make(async function* () {
      try {
        yield* exporter()({} as never);
      } finally {
        isLeft = true;
      }
    });
    const { pieces } = await begin();
    await pieces.next();
    await pieces.next();
    await pieces.return();
    expect(isLeft).toBe(true);
    expect(onRecord()).toStrictEqual([cutOff(2, 'cancelled')]);
  });

  test('when its reader stops after its signal has ended it', async () => {
    const { begin, onRecord } = make(async function* () {
      try {
        yield* exporter()({} as never);
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: this is how a stream that has failed answers to its end.
        throw new MatchStreamError({ kind: 'cancelled' });
      }
    });
    const { pieces } = await begin();
    await pieces.next();
    await pieces.next();
    await pieces.return();
    expect(onRecord()).toStrictEqual([cutOff(2, 'cancelled')]);
  });

  test.each<[string, Error]>([
    ['timeout', new MatchStreamError({ kind: 'timeout' })],
    ['failed', new Error('the connection is lost')],
  ])('when an error is thrown (%s)', async (reason, error) => {
    const { begin, onRecord } = make(
      exporter(() => {
        throw error;
      }),
    );
    const { pieces } = await begin();
    await expect(Array.fromAsync(pieces)).rejects.toThrow(error);
    expect(onRecord()).toStrictEqual([cutOff(2, reason)]);
  });

  test('when its time is up', async () => {
    const { begin, onRecord } = make(
      ({ signal }) =>
        exporter(async () => {
          await new Promise((resolve) => signal?.addEventListener('abort', resolve));
          throw new MatchStreamError({ kind: 'cancelled' });
        })({} as never),
      { maxDurationMs: 20 },
    );
    const { pieces } = await begin();
    await expect(Array.fromAsync(pieces)).rejects.toThrow(MatchStreamError);
    expect(onRecord()).toStrictEqual([cutOff(2, 'too_slow')]);
  });

  test.each<[string, AccessScope | null]>([
    ['is not let in any more', null],
    ['reaches another organization now', orgScope(newId())],
    ['reaches nothing now', NO_SCOPE],
  ])('when access is lost: the caller %s', async (_how, reach) => {
    const { begin, onRecord } = make(exporter());
    const { pieces } = await begin({ reachNow: async () => reach });
    const taken: string[] = [];
    await expect(
      (async () => {
        for await (const piece of pieces) taken.push(piece);
      })(),
    ).rejects.toThrow('may no longer read');
    expect(taken).toStrictEqual(['site\r\n', '1\r\n2\r\n']);
    expect(onRecord()).toStrictEqual([cutOff(2, 'access_lost')]);
  });

  test('or logged without the text of the error if it cannot be audited', async () => {
    const { begin, lines } = make(exporter(), {
      auditLog: async () => {
        throw new Error('secret');
      },
    });
    const { pieces } = await begin();
    await expect(Array.fromAsync(pieces)).rejects.toThrow('secret');
    expect(lines).toMatchObject([
      [
        'an export was cut off but could not be recorded',
        { requestId: 'request-1', reason: 'failed', rows: 3 },
      ],
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});

test.each([
  [{ kind: 'timeout' }, 'filter_timeout'],
  [{ kind: 'cancelled' }, 'cancelled'],
  [{ kind: 'invalid-pattern', reason: 'no' }, 'validation_failed'],
] as const)('an export refused before its first row (%j) is audited as denied', async (refusal, code) => {
  const { run, onRecord } = make(async function* () {
    throw new MatchStreamError(refusal);
    // biome-ignore lint/correctness/noUnreachable: without it, this would be no stream.
    yield [];
  });
  expect(await run()).toMatchObject({ ok: false, error: { code } });
  expect(onRecord()).toMatchObject([{ result: 'denied', details: { reason: refusal.kind } }]);
});
