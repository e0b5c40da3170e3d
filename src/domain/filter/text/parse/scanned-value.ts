/** A value of a filter text in its parts, before anything is known of what they mean. */
import type { Place } from '#domain/filter/text/text-fault.ts';
import type { Sign } from '#domain/filter/text/value-style.ts';

export interface ScannedWord extends Place {
  /** Without quotes, escapes and stars. */
  readonly text: string;
  readonly isQuoted: boolean;
}

export interface ScannedValue extends Place {
  readonly sign: Sign | '';
  /** `words` are one, or several with commas between; `pattern` is one word. */
  readonly form: 'words' | 'brackets' | 'pattern';
  readonly words: readonly ScannedWord[];
  readonly star: 'none' | 'before' | 'after';
}
