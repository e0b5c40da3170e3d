import { words } from '#console/app/words.ts';
import type { CustomFieldValue } from './custom-field.tsx';

export interface CustomOption {
  readonly id: string;
  readonly text: string;
  readonly value: string | boolean | null;
}

/** The id of having no value. */
export const NONE = 'none';

/** What there is to choose, no value last, once it is known. Ids do not collide with what a choice may be called. */
export function optionsOf({ type, choices }: CustomFieldValue): readonly CustomOption[] {
  const none = { id: NONE, text: words.devicePage.noValue, value: null };
  if (type === 'boolean') {
    return [
      { id: 'yes', text: words.devicePage.yes, value: true },
      { id: 'no', text: words.devicePage.no, value: false },
      none,
    ];
  }
  return [...(choices ?? []).map((choice, i) => ({ id: `choice-${i}`, text: choice, value: choice })), none];
}
