/** The first few of many devices in the order of previews, without sorting them all. */
import type { Device } from '#domain/device/device.ts';
import { comparePreviewOrder } from '#domain/device/preview-device.ts';

export class TopDevices {
  readonly #limit: number;
  readonly #first: Device[] = [];
  #count = 0;

  /** Keeps at most `limit` devices. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many were added, kept or not. */
  get count(): number {
    return this.#count;
  }

  /** The first ones, in order. */
  get first(): readonly Device[] {
    return this.#first;
  }

  add(device: Device): void {
    this.#count++;
    const last = this.#first.at(-1);
    const isFull = this.#first.length >= this.#limit;
    if (isFull && (last === undefined || comparePreviewOrder(device, last) > 0)) return;
    this.#first.splice(this.#placeOf(device), 0, device);
    if (isFull) this.#first.pop();
  }

  #placeOf(device: Device): number {
    let low = 0;
    let high = this.#first.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#first[middle];
      if (other !== undefined && comparePreviewOrder(other, device) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
