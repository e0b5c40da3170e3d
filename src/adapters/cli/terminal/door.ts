/**
 * All output of commands passes through this module. Names in inventories and files may contain control
 * characters, which a terminal would obey.
 */
import { visible } from '#domain/text/visible-text.ts';

export function print(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

export function report(message: string): void {
  process.stderr.write(`${visible(message)}\n`);
}

export function isShown(): boolean {
  return process.stdout.isTTY === true;
}
