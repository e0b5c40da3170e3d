/** Reads members without a schema, which is faster. Used for devices, because they make up most of a file. */
import { type Id, parseId } from '#domain/ids.ts';
import type { EpochMs } from '#domain/time.ts';
import {
  flagFault,
  IS_REQUIRED,
  idFault,
  instantFault,
  isObject,
  listFault,
  nameFault,
  numberFault,
  objectFault,
  pathSegment,
  readInstant,
  textFault,
  unknownMemberFault,
  wordFault,
} from './value-faults.ts';

/** `path` is relative to the record, such as `.software[3].name`. */
export type FaultSink = (path: string, message: string) => void;

type FaultOf = (value: unknown) => string | null;

/** After a fault, values are meaningless and the record must not be used. */
export class MemberReader {
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #path: string;
  readonly #sink: FaultSink;

  constructor(
    object: Readonly<Record<string, unknown>>,
    path: string,
    known: ReadonlySet<string>,
    sink: FaultSink,
  ) {
    this.#object = object;
    this.#path = path;
    this.#sink = sink;
    for (const name in object) {
      if (!known.has(name)) this.#refuse(name, unknownMemberFault(name, known));
    }
  }

  requiredId<K extends string>(name: string): Id<K> {
    return (parseId<K>(this.#object[name]) ?? this.#refuse(name, this.#faultOf(name, idFault))) as Id<K>;
  }

  requiredName(name: string, faultOf: FaultOf = nameFault): string {
    const fault = this.#faultOf(name, faultOf);
    return (fault === null ? this.#object[name] : this.#refuse(name, fault)) as string;
  }

  requiredWord<W extends string>(name: string, words: readonly W[]): W {
    const fault = this.#faultOf(name, (value) => wordFault(value, words));
    return (fault === null ? this.#object[name] : this.#refuse(name, fault)) as W;
  }

  id<K extends string>(name: string): Id<K> | null {
    const value = this.#object[name] ?? null;
    return value === null ? null : (parseId<K>(value) ?? this.#refuse(name, idFault(value)));
  }

  word<W extends string>(name: string, words: readonly W[]): W | null {
    return this.#read(name, (value) => wordFault(value, words));
  }

  text(name: string, faultOf: FaultOf = textFault): string | null {
    return this.#read(name, faultOf);
  }

  number(name: string): number | null {
    return this.#read(name, numberFault);
  }

  flag(name: string): boolean | null {
    return this.#read(name, flagFault);
  }

  instant(name: string): EpochMs | null {
    const value = this.#object[name] ?? null;
    return value === null ? null : (readInstant(value) ?? this.#refuse(name, instantFault(value)));
  }

  texts(name: string): readonly string[] {
    const values = this.#list(name);
    for (const [index, value] of values.entries()) {
      const fault = textFault(value);
      if (fault !== null) this.#sink(this.#pathOf(name) + pathSegment(index), fault);
    }
    return values as readonly string[];
  }

  /** Reads an object with any member names. Empty if absent. */
  map<T>(
    name: string,
    nameFaultOf: (key: string) => string | null,
    valueFaultOf: (value: unknown) => string | null,
  ): ReadonlyMap<string, T> {
    const values = new Map<string, T>();
    for (const [key, value] of Object.entries(this.#read<object>(name, objectFault) ?? {})) {
      const fault = nameFaultOf(key) ?? valueFaultOf(value);
      if (fault !== null) this.#sink(this.#pathOf(name) + pathSegment(key), fault);
      else values.set(key, value as T);
    }
    return values;
  }

  object(name: string, known: ReadonlySet<string>): MemberReader | null {
    const object = this.#read<Readonly<Record<string, unknown>>>(name, objectFault);
    return object === null ? null : new MemberReader(object, this.#pathOf(name), known, this.#sink);
  }

  objects<T>(name: string, known: ReadonlySet<string>, read: (members: MemberReader) => T): readonly T[] {
    const results: T[] = [];
    for (const [index, value] of this.#list(name).entries()) {
      const path = this.#pathOf(name) + pathSegment(index);
      if (isObject(value)) results.push(read(new MemberReader(value, path, known, this.#sink)));
      else this.#sink(path, objectFault(value) ?? '');
    }
    return results;
  }

  #list(name: string): readonly unknown[] {
    return this.#read<readonly unknown[]>(name, listFault) ?? [];
  }

  #read<T>(name: string, fault: (value: unknown) => string | null): T | null {
    const value = this.#object[name] ?? null;
    if (value === null) return null;
    const reason = fault(value);
    return reason === null ? (value as T) : this.#refuse(name, reason);
  }

  #faultOf(name: string, fault: FaultOf): string | null {
    const value = this.#object[name];
    return value === undefined ? IS_REQUIRED : fault(value);
  }

  #refuse(name: string, message: string | null): null {
    this.#sink(this.#pathOf(name), message ?? '');
    return null;
  }

  #pathOf(name: string): string {
    return this.#path + pathSegment(name);
  }
}
