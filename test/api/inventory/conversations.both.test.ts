/** Conversations of a real agent (`test/scripts/report-by-agent.ts`) get the answers that it accepted. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceId } from '#domain/ids.ts';
import type { TestService } from '#test/api/service/service.ts';
import { movableClock, orgScope } from '#test/support/builders.ts';
import { addReporter, devicesOf, recorded, startAgentService } from './agents.ts';

interface Conversation {
  readonly way: string;
  readonly exchanges: readonly {
    readonly headers: Readonly<Record<string, string>>;
    readonly document: unknown;
    readonly status: number;
    readonly answer: unknown;
  }[];
}

const CONVERSATIONS: readonly Conversation[] = JSON.parse(recorded('conversations.json'));

/** Soon after the recordings. */
const NOW = Date.UTC(2026, 10, 24, 10);

let service: TestService;

beforeAll(async () => {
  service = await startAgentService({ clock: movableClock(NOW).clock });
});
afterAll(() => service.close());

test('an agent run by hand, again, forced and as a service gets the recorded answers and is one device', async () => {
  const reporter = await addReporter(service);
  const ways = [];
  for (const { way, exchanges } of CONVERSATIONS) {
    ways.push(way);
    for (const { headers, document, status, answer } of exchanges) {
      const answered = await reporter.report(document, { headers });
      expect([way, answered.status, answered.body]).toStrictEqual([way, status, answer]);
    }
    expect(await devicesOf(service, reporter)).toMatchObject([
      { hostname: 'vm', status: 'online', lastSeenAt: new Date(NOW).toISOString() },
    ]);
  }
  expect(ways).toHaveLength(4);
  const [machine] = await devicesOf(service, reporter);
  const found = await service.composition.backend.deviceReader.find(
    orgScope(reporter.orgId),
    machine?.id as DeviceId,
  );
  expect(found?.device).toMatchObject({
    osType: 'linux',
    uptimeSeconds: (NOW - Date.UTC(2026, 10, 24, 5, 57, 44)) / 1_000,
    metrics: { cpuPercent: null, ramPercent: null, diskPercent: 70.6 },
    volumes: [{ name: '/', filesystem: 'ext4', totalGb: 252, freeGb: 74 }],
  });
});
