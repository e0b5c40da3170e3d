import * as v from 'valibot';
import { INSTANT, id, listOf, name, type Shape, shown, text } from '#adapters/http/common-shapes.ts';

export const INVENTORY_DOCUMENT = shown(
  v.record(v.string(), v.unknown()),
  {
    action: 'inventory',
    deviceid: 'bay-07-2025-06-02-10-15-00',
    itemtype: 'Computer',
    content: { hardware: { name: 'BAY-07' }, versionclient: 'GLPI-Agent_v1.11' },
  },
  'An inventory in the GLPI format.',
);

export const TAKEN_INVENTORY = v.object({ deviceId: id('device'), created: v.boolean() });
export type TakenInventory = Shape<typeof TAKEN_INVENTORY>;

export const AGENT_ANSWER = shown(
  v.object({
    status: v.exactOptional(v.picklist(['ok', 'pending'])),
    message: v.exactOptional(text('', 'A message that the agent logs.')),
    expiration: v.exactOptional(text('15m', 'Time until the next contact.')),
    tasks: v.exactOptional(v.object({ inventory: v.object({ server: v.string(), version: v.string() }) })),
    disabled: v.exactOptional(
      v.pipe(
        v.array(v.string()),
        v.description(
          'Tasks that the agent skips until the next contact, including `inventory` if none is due.',
        ),
      ),
    ),
  }),
  { status: 'ok' },
);
export type AgentAnswerBody = Shape<typeof AGENT_ANSWER>;

const ENROLMENT_KEY = v.object({
  id: id(),
  orgId: id('organization'),
  siteId: v.nullable(id('site')),
  name: text('Warehouse'),
  expiresAt: shown(v.nullable(INSTANT), null, 'Null if the key never expires.'),
  createdAt: INSTANT,
});
export const ENROLMENT_KEYS = listOf(ENROLMENT_KEY);
export type EnrolmentKey = Shape<typeof ENROLMENT_KEY>;

export const CREATED_ENROLMENT_KEY = v.object({
  ...ENROLMENT_KEY.entries,
  key: text(`fse_${'x'.repeat(43)}`),
});
export type CreatedEnrolmentKey = Shape<typeof CREATED_ENROLMENT_KEY>;

export const NEW_ENROLMENT_KEY = v.object({
  orgId: v.nullish(id('organization')),
  siteId: v.nullish(id('site')),
  name: name('Warehouse'),
  expiresAt: v.nullish(text('2027-02-10', 'ISO 8601; default: never.')),
});
