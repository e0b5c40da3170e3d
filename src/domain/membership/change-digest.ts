/** What a mail says about a filter's changes (Contract: §17, Mails). */
import type { DeviceId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import type { MembershipChange } from './membership-change.ts';
import type { Notify } from './subscription.ts';

/** Devices as a mail names them: by hostname, or by id if the device is gone. */
export interface ToldDevices {
  readonly count: number;
  /** Names of the first `LISTED` devices. */
  readonly names: readonly string[];
}

export interface ChangeDigest {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly entered: ToldDevices;
  readonly left: ToldDevices;
  /** How many devices entered and left (or left and entered), so nothing changed in the end. */
  readonly passing: number;
  /** Whether evaluation last stopped or resumed; null if neither happened. */
  readonly evaluation: 'degraded' | 'recovered' | null;
}

/** More names would make the mail hard to read. */
const LISTED = 20;

/** Sums up changes, added in order. Each device counts once, by its state before and after all changes. */
export class DigestBuilder {
  readonly #moved = new Map<DeviceId, { readonly type: 'entered' | 'left'; readonly name: string }>();
  readonly #passing = new Set<DeviceId>();
  #evaluation: ChangeDigest['evaluation'] = null;
  #from: EpochMs | null = null;
  #to: EpochMs | null = null;

  add(change: MembershipChange): void {
    this.#from ??= change.at;
    this.#to = change.at;
    if (!('deviceId' in change)) {
      this.#evaluation = change.type;
      return;
    }
    const { deviceId, hostname, type } = change;
    // A device alternates between entering and leaving, so its second change undoes the first.
    if (this.#moved.delete(deviceId)) this.#passing.add(deviceId);
    else {
      this.#passing.delete(deviceId);
      this.#moved.set(deviceId, { type, name: hostname ?? deviceId });
    }
  }

  /** `now` is used if nothing was added. */
  finish(now: EpochMs): ChangeDigest {
    return {
      ...{ from: this.#from ?? now, to: this.#to ?? now },
      ...{ entered: this.#told('entered'), left: this.#told('left') },
      ...{ passing: this.#passing.size, evaluation: this.#evaluation },
    };
  }

  #told(wanted: 'entered' | 'left'): ToldDevices {
    const told = [...this.#moved.values()].filter(({ type }) => type === wanted);
    return { count: told.length, names: told.slice(0, LISTED).map(({ name }) => name) };
  }
}

/** A threshold: a mail is due when the filter has more devices (`above`) or fewer (`below`). */
export type Line = Exclude<Notify, 'changes'>;

export interface Crossing {
  readonly at: EpochMs;
  readonly count: number;
  readonly isBack: boolean;
}

/** Finds crossings of a line. Changes are added in order. Only the count after each evaluation matters. */
export class CrossingFinder {
  readonly #line: Line;
  #count: number;
  #at: EpochMs | null = null;
  #isBeyond: boolean;
  readonly #begunBeyond: boolean;
  #first: Crossing | null = null;
  #last: Crossing | null = null;

  constructor(line: Line, count: number) {
    this.#line = line;
    this.#count = count;
    this.#isBeyond = isBeyond(line, count);
    this.#begunBeyond = this.#isBeyond;
  }

  add({ at, type }: MembershipChange): void {
    if (at !== this.#at) this.#look();
    this.#at = at;
    if (type === 'entered') this.#count += 1;
    if (type === 'left') this.#count -= 1;
  }

  /** The last crossing, if any. If the count ends on the side where it began, also the first one. */
  finish(): readonly Crossing[] {
    this.#look();
    const [first, last] = [this.#first, this.#last];
    if (first === null || last === null) return [];
    return this.#isBeyond === this.#begunBeyond ? [first, last] : [last];
  }

  #look(): void {
    const is = isBeyond(this.#line, this.#count);
    if (this.#at === null || is === this.#isBeyond) return;
    this.#isBeyond = is;
    this.#last = { at: this.#at, count: this.#count, isBack: !is };
    this.#first ??= this.#last;
  }
}

function isBeyond(line: Line, count: number): boolean {
  return 'above' in line ? count > line.above : count < line.below;
}
