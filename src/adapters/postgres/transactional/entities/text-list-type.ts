/** A `text[]` column for any texts; MikroORM's own type does not quote all of them. */
import { ArrayType } from '@mikro-orm/core';
import { arrayText } from '#adapters/postgres/array-text.ts';

export class TextListType extends ArrayType<string> {
  override convertToDatabaseValue(value: string[]): string {
    return arrayText(value);
  }
}
