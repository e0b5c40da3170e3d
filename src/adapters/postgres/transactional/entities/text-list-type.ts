/** A column `text[]` that takes any texts, also those that MikroORM's own type does not quote. */
import { ArrayType } from '@mikro-orm/core';
import { arrayText } from '#adapters/postgres/array-text.ts';

export class TextListType extends ArrayType<string> {
  override convertToDatabaseValue(value: string[]): string {
    return arrayText(value);
  }
}
