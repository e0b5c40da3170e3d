/** The custom fields of the demo: some belong to a partner and so to all its organizations, some to one organization. */
import { stableId } from '#adapters/demo/stable-id.ts';
import type { OrganizationProfile } from '#adapters/demo/tenants/organizations.ts';
import type { PartnerKey } from '#adapters/demo/tenants/partners.ts';
import { assertNever } from '#domain/assert-never.ts';
import type { CustomFieldRecord } from '#domain/fleet/fleet-record.ts';

/** What the values of a field are drawn from. */
export type CustomValueSource =
  /** Patterns as `SeededRandom.fill` takes them. */
  | { readonly type: 'text'; readonly patterns: readonly string[] }
  | { readonly type: 'number'; readonly from: number; readonly to: number; readonly step: number }
  | { readonly type: 'boolean'; readonly trueShare: number }
  | { readonly type: 'dropdown'; readonly choices: readonly string[] }
  /** Days from now; negative is the past. */
  | { readonly type: 'date'; readonly fromDays: number; readonly toDays: number };

/** A definition, with how often it has a value and which ones. */
export interface CustomFieldProfile {
  readonly owner: { readonly partner: PartnerKey } | { readonly organization: string };
  readonly key: string;
  readonly name: string;
  /** The share (0-1) of computers that have a value. */
  readonly share: number;
  readonly source: CustomValueSource;
}

/**
 * `floor` is a number in one organization and a text in another, as happens without coordination;
 * Quillon's `support_tier` stands in for its partner's.
 */
export const CUSTOM_FIELDS: readonly CustomFieldProfile[] = [
  partner('kestrel-lane', 'asset_tag', 'Asset tag', 0.8, {
    type: 'text',
    patterns: ['KL-######', 'KL-A#####'],
  }),
  partner('kestrel-lane', 'cost_center', 'Cost centre', 0.6, {
    type: 'number',
    from: 1000,
    to: 4900,
    step: 100,
  }),
  partner('kestrel-lane', 'managed_backup', 'Managed backup', 0.7, { type: 'boolean', trueShare: 0.65 }),
  partner('kestrel-lane', 'support_tier', 'Support tier', 0.75, {
    type: 'dropdown',
    choices: ['gold', 'silver', 'bronze'],
  }),
  partner('kestrel-lane', 'warranty_end', 'Warranty ends', 0.7, {
    type: 'date',
    fromDays: -700,
    toDays: 1100,
  }),
  partner('blaubach', 'inventarnummer', 'Inventarnummer', 0.85, {
    type: 'text',
    patterns: ['BLB-#####', 'Ü-####'],
  }),
  partner('blaubach', 'kostenstelle', 'Kostenstelle', 0.5, {
    type: 'number',
    from: 0.5,
    to: 99.5,
    step: 0.5,
  }),
  partner('blaubach', 'leasing', 'Leasinggerät', 0.8, { type: 'boolean', trueShare: 0.5 }),
  partner('blaubach', 'leasing_ende', 'Leasingende', 0.45, { type: 'date', fromDays: -200, toDays: 900 }),
  partner('blaubach', 'wartung', 'Wartungsvertrag', 0.6, {
    type: 'dropdown',
    choices: ['Basis', 'Komfort', 'Rundum-sorglos'],
  }),
  organization('varhaug', 'terminal_zone', 'Terminal zone', 0.5, {
    type: 'dropdown',
    choices: ['Gate', 'Yard', 'Cold store', 'Office'],
  }),
  organization('varhaug', 'forklift_mounted', 'Mounted on a forklift', 0.3, {
    type: 'boolean',
    trueShare: 0.4,
  }),
  organization('pellworth', 'production_line', 'Production line', 0.4, {
    type: 'number',
    from: 1,
    to: 9,
    step: 1,
  }),
  organization('greywater', 'room', 'Room', 0.7, {
    type: 'text',
    patterns: ['B##', 'S1##', 'Library', 'Hall (east)'],
  }),
  organization('greywater', 'exam_ready', 'Ready for exams', 0.6, { type: 'boolean', trueShare: 0.7 }),
  organization('tidewell', 'xray_connected', 'Drives an X-ray', 0.7, { type: 'boolean', trueShare: 0.25 }),
  organization('tidewell', 'floor', 'Floor', 0.6, { type: 'number', from: -1, to: 3, step: 1 }),
  organization('saltmarsh', 'floor', 'Floor', 0.6, {
    type: 'text',
    patterns: ['Ground', 'Mezzanine', '#', 'Attic'],
  }),
  organization('quillon', 'support_tier', 'Support tier', 0.8, {
    type: 'dropdown',
    choices: ['partner', 'fee earner', 'staff'],
  }),
  organization('seerain', 'mdr_class', 'Medizinprodukt-Klasse', 0.4, {
    type: 'dropdown',
    choices: ['I', 'IIa', 'IIb', 'III'],
  }),
];

/** The fields defined in an organization: its own, and its partner's unless it has one with the same key. */
export function customFieldsOf({
  key,
  partner: partnerKey,
}: OrganizationProfile): readonly CustomFieldProfile[] {
  const own = CUSTOM_FIELDS.filter(({ owner }) => 'organization' in owner && owner.organization === key);
  const keys = new Set(own.map((field) => field.key));
  const inherited = CUSTOM_FIELDS.filter(
    (field) => 'partner' in field.owner && field.owner.partner === partnerKey && !keys.has(field.key),
  );
  return [...own, ...inherited];
}

/** The field as it is stored. */
export function customFieldRecord({ owner, key, name, source }: CustomFieldProfile): CustomFieldRecord {
  const ownerKey = 'partner' in owner ? owner.partner : owner.organization;
  return {
    kind: 'customField',
    id: stableId('custom-field', `${ownerKey}/${key}`),
    owner:
      'partner' in owner
        ? { kind: 'partner', partnerId: stableId('partner', owner.partner) }
        : { kind: 'organization', orgId: stableId('organization', owner.organization) },
    key,
    name,
    type: source.type,
    choices: choicesOf(source),
  };
}

function choicesOf(source: CustomValueSource): readonly string[] {
  switch (source.type) {
    case 'dropdown':
      return source.choices;
    case 'text':
    case 'number':
    case 'boolean':
    case 'date':
      return [];
    default:
      return assertNever(source);
  }
}

function partner(
  owner: PartnerKey,
  key: string,
  name: string,
  share: number,
  source: CustomValueSource,
): CustomFieldProfile {
  return { owner: { partner: owner }, key, name, share, source };
}

function organization(
  owner: string,
  key: string,
  name: string,
  share: number,
  source: CustomValueSource,
): CustomFieldProfile {
  return { owner: { organization: owner }, key, name, share, source };
}
