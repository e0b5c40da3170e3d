/** Completes a filter text as it is typed (GET /filters/complete; Contract: §11). */
import type { Call } from '#application/call.ts';
import { loadCatalog } from '#application/filters/check-conditions.ts';
import type { CompletionSource } from '#application/ports/filters/completion-source.ts';
import type { CustomFieldSource } from '#application/ports/filters/custom-field-source.ts';
import { workFor } from '#application/work-for.ts';
import { type Completion, completeFilterText } from '#domain/filter/text/complete/complete-filter-text.ts';
import {
  MAX_COMPLETIONS,
  mergeItems,
  toTitleItem,
  toValueItem,
} from '#domain/filter/text/complete/completion-items.ts';
import { isUuid } from '#domain/ids.ts';

/** `from` and `to` delimit the text to replace, in UTF-16 code units. */
export type TextCompletion = Pick<Completion, 'from' | 'to' | 'items'>;

/** `at` is the cursor's position in UTF-16 code units; a position beyond the text means the end. */
export type CompleteText = (call: Call, text: string, at: number) => Promise<TextCompletion>;

export interface CompleteTextDeps {
  readonly customFields: CustomFieldSource;
  readonly findValues: CompletionSource;
}

export function makeCompleteText({ customFields, findValues }: CompleteTextDeps): CompleteText {
  return async (call, text, at) => {
    const { scope } = call.caller;
    const { from, to, kind, field, source, typed, items } = completeFilterText(
      text,
      at,
      await loadCatalog(customFields, scope),
    );
    if (source === null) return { from, to, items };
    const title = field?.reads === 'versions' && { title: field.source.folded };
    const limit = MAX_COMPLETIONS - items.length;
    const values =
      limit < 1 ? [] : await findValues({ source, ...title, typed, scope, limit, ...workFor(call) });
    // Names that look like ids are left out, because they would be read as ids.
    const areNames = source === 'organizations' || source === 'sites' || source === 'filters';
    const readable = areNames ? values.filter(({ value }) => !isUuid(value)) : values;
    const toItem = kind === 'key' ? toTitleItem : toValueItem;
    return {
      from,
      to,
      items: mergeItems(
        readable.map(({ value, devices }) => toItem(value, source === 'filters' ? null : countText(devices))),
        items,
      ),
    };
  };
}

/** For example `1,234 devices`. */
function countText(devices: number | null): string | null {
  if (devices === null) return null;
  return devices === 1 ? '1 device' : `${devices.toLocaleString('en')} devices`;
}
