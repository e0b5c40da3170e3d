import { toRow } from '#adapters/http/devices/present-devices.ts';
import type { FilterImpact } from '#application/application-error.ts';
import { printInstant } from '#domain/text/iso-instant.ts';
import type { Impact } from './impact-shapes.ts';

export function toImpact(impact: FilterImpact): Impact {
  const { version, before, after, entering, leaving, usedBy, evaluatedAt } = impact;
  return {
    ...{ version, before, after, entering: entering.count, leaving: leaving.count },
    samples: { entering: entering.devices.map(toRow), leaving: leaving.devices.map(toRow) },
    usedBy: usedBy.map(({ kind, id, name }) => ({ kind, id, name })),
    evaluatedAt: printInstant(evaluatedAt),
  };
}

export function presentImpact(impact: FilterImpact): string {
  return JSON.stringify({ data: toImpact(impact) });
}
