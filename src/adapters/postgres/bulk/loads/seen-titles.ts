import type { FleetFault } from '#application/ports/fleet/fleet-writer.ts';
import type { OrgId } from '#domain/ids.ts';

const BITS = 32;

/** In bytes. Beyond this limit, all ids are forgotten, so they may be staged again. */
const MAX_MEMORY = 32 << 20;

export class SeenTitles {
  /** Even bits stand for titles, odd ones for versions, whose ids are negative. */
  readonly #seen = new Map<OrgId, Uint32Array>();
  readonly places = new Map<OrgId, Omit<FleetFault, 'message'>>();
  /** False once ids have been forgotten, because `takeNew` may then return an id a second time. */
  isComplete = true;
  #memory = 0;

  takeNew(
    orgId: OrgId,
    titleIds: readonly number[],
    { line, member }: Omit<FleetFault, 'message'>,
  ): readonly number[] {
    const bits = this.#bitsUpTo(
      orgId,
      titleIds.reduce((last, id) => Math.max(last, placeOf(id)), 0),
    );
    const taken = titleIds.filter((id) => {
      const place = placeOf(id);
      const word = Math.floor(place / BITS);
      const before = bits[word] ?? 0;
      bits[word] = before | (1 << (place % BITS));
      return bits[word] !== before;
    });
    if (taken.length > 0) this.places.set(orgId, { line, member });
    return taken;
  }

  #bitsUpTo(orgId: OrgId, place: number): Uint32Array {
    const known = this.#seen.get(orgId);
    const words = Math.floor(place / BITS) + 1;
    if (known !== undefined && known.length >= words) return known;
    const larger = new Uint32Array(Math.max(words, 2 * (known?.length ?? 0)));
    if (known !== undefined) larger.set(known);
    this.#memory += larger.byteLength - (known?.byteLength ?? 0);
    if (this.#memory > MAX_MEMORY) {
      this.isComplete = false;
      this.#seen.clear();
      this.#memory = larger.byteLength;
    }
    this.#seen.set(orgId, larger);
    return larger;
  }
}

function placeOf(id: number): number {
  return id > 0 ? 2 * id : -2 * id - 1;
}
