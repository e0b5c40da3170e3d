/**
 * Parses a line of text into conditions, or into its faults with their places (Contract: §11). The stack is explicit:
 * a megabyte of text can open as many parentheses.
 *
 *     or   = and { OR and }
 *     and  = not { [AND] not }
 *     not  = ( - | NOT ) not | "(" or ")" | term
 *     term = [ key : ] value
 */
import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import type { GroupOperator } from '#domain/filter/conditions/condition.ts';
import type { RefusePattern } from '#domain/filter/conditions/parse-conditions.ts';
import type { ConditionJson, NodeJson } from '#domain/filter/text/condition-json.ts';
import { NOTHING } from '#domain/filter/text/print/negate-leaf.ts';
import type { Place, ReportFault, TextFault } from '#domain/filter/text/text-fault.ts';
import { endOfKey, type FindKey, makeKeyFinder, styleOf } from '#domain/filter/text/text-keys.ts';
import { MAX_CONDITIONS_OF_TEXT, MAX_FAULTS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { runSteps, type Steps } from '#domain/steps.ts';
import { checkLeaf, type LeafRules } from './check-leaf.ts';
import { missingColon, unknownKey } from './key-faults.ts';
import { BARE_FIELDS, type ResolveName, readTerm } from './read-term.ts';
import { endOfMatch, skipValue } from './scan-stretch.ts';
import { scanValue } from './scan-value.ts';
import { closeGroup, endAlternative, type OpenGroup, openGroup, type PlacedLeaf, type Term } from './term.ts';

/**
 * Returns conditions for `parseConditions` with the same catalog, or 1 to 100 faults in order of place.
 * Refused values have the same codes as in JSON.
 */
export function parseFilterText(
  text: string,
  catalog: FieldCatalog,
  names: ResolveName,
  refusePattern: RefusePattern = () => null,
): Result<ConditionJson, readonly TextFault[]> {
  return runSteps(parseFilterTextInSteps(text, catalog, names, refusePattern));
}

/** Reads one term at each step, so the caller can pause: a megabyte takes a third of a second. */
export function parseFilterTextInSteps(
  text: string,
  catalog: FieldCatalog,
  names: ResolveName,
  refusePattern: RefusePattern = () => null,
): Steps<Result<ConditionJson, readonly TextFault[]>> {
  return new TextParser(text, catalog, names, refusePattern).parse();
}

class TextParser {
  readonly #text: string;
  readonly #catalog: FieldCatalog;
  readonly #names: ResolveName;
  readonly #rules: LeafRules;
  readonly #findKey: FindKey;
  readonly #faults: TextFault[] = [];
  readonly #open: OpenGroup[] = [];
  #frame: OpenGroup = openGroup(0, false);
  #at = 0;
  #conditionCount = 0;

  constructor(text: string, catalog: FieldCatalog, names: ResolveName, refusePattern: RefusePattern) {
    this.#text = text;
    this.#catalog = catalog;
    this.#names = names;
    this.#rules = { catalog, refusePattern };
    this.#findKey = makeKeyFinder(catalog);
  }

  *parse(): Steps<Result<ConditionJson, readonly TextFault[]>> {
    const text = this.#text;
    if (/^\s*$/.test(text)) {
      this.#report({ start: 0, end: text.length }, 'empty', 'The filter is empty. Example: status:online');
      return err(this.#faults);
    }
    for (;;) {
      this.#at = endOfMatch(/\s*/y, text, this.#at);
      if (this.#at >= text.length || this.#faults.length >= MAX_FAULTS) break;
      if (this.#conditionCount > MAX_CONDITIONS_OF_TEXT) return err([this.#tooMany()]);
      this.#readNext();
      yield;
    }
    for (const { start } of [this.#frame, ...this.#open.toReversed()].slice(0, -1).slice(0, MAX_FAULTS)) {
      this.#report({ start, end: start + 1 }, 'unclosed_group', '"(" has no closing ")"');
    }
    const root = this.#closeFrame();
    if (this.#faults.length > 0) return err(this.#faults.toSorted((a, b) => a.start - b.start));
    return ok('conditions' in root ? root : { operator: 'AND', conditions: [root] });
  }

  #readNext(): void {
    const start = this.#at;
    switch (this.#text[start]) {
      case '(':
        this.#open.push(this.#frame);
        this.#frame = openGroup(start, this.#isNextNegated());
        this.#at++;
        return;
      case ')':
        this.#at++;
        this.#readClosing(start);
        return;
      case '-':
        this.#at++;
        this.#negate({ start, end: this.#at });
        return;
      case '"':
        this.#readTerm(start, null, start);
        return;
    }
    const colonFault = missingColon(this.#text, start, this.#findKey);
    if (colonFault !== null) {
      this.#faults.push(colonFault);
      this.#at = colonFault.end;
      this.#addMember(NOTHING);
      return;
    }
    const end = endOfKey(this.#text, start);
    const word = this.#text.slice(start, end);
    if (this.#text[end] === ':') {
      this.#readKeyed(word, { start, end });
      return;
    }
    if (word === 'AND' || word === 'OR') this.#readOperator(word, { start, end });
    else if (word === 'NOT') this.#negate({ start, end });
    else {
      this.#readTerm(start, null, start);
      return;
    }
    this.#at = end;
  }

  #negate(place: Place): void {
    this.#frame.negation = place;
    this.#frame.isNextNegated = !this.#frame.isNextNegated;
  }

  #readOperator(word: GroupOperator, place: Place): void {
    const frame = this.#frame;
    this.#expectOperand(place, `${word} needs a condition before it`);
    if (word === 'OR') endAlternative(frame);
    frame.operator = place;
  }

  #readClosing(start: number): void {
    const parent = this.#open.pop();
    if (parent === undefined) {
      this.#report({ start, end: start + 1 }, 'unexpected_character', '")" has no opening "("');
      return;
    }
    const { members, alternatives, operator, negation } = this.#frame;
    if (members.length + alternatives.length === 0 && operator === null && negation === null) {
      const place = { start: this.#frame.start, end: start + 1 };
      this.#report(place, 'empty_group', 'There is nothing between "(" and ")"');
    }
    const group = this.#closeFrame();
    this.#frame = parent;
    this.#addMember(group);
  }

  /** The result of a faulty group has no meaning. */
  #closeFrame(): NodeJson {
    const frame = this.#frame;
    this.#expectOperand(frame.operator, 'AND and OR need a condition after them');
    return closeGroup(frame);
  }

  #expectOperand(place: Place | null, message: string): void {
    const { negation, operator, members } = this.#frame;
    if (negation !== null) {
      this.#report(negation, 'missing_term', 'NOT and - need a condition or a group after them');
      this.#frame.negation = null;
      this.#frame.isNextNegated = false;
    } else if (operator !== null || members.length === 0) {
      if (place !== null) this.#report(place, 'missing_term', message);
    }
  }

  #addMember(node: NodeJson): void {
    const frame = this.#frame;
    frame.members.push(node);
    frame.operator = null;
    frame.negation = null;
    frame.isNextNegated = false;
  }

  #readKeyed(key: string, place: Place): void {
    const start = place.end + 1;
    const entry = this.#findKey(key);
    if (entry?.kind === 'field') {
      this.#readTerm(place.start, entry.field, start);
      return;
    }
    if (entry === undefined) this.#faults.push(unknownKey(this.#text, key, place, this.#catalog));
    else this.#check({ leaf: { field: entry.key, operator: 'isNotNull' }, placeOf: () => place }, null);
    this.#at = skipValue(this.#text, start);
    this.#addMember(NOTHING);
  }

  #readTerm(start: number, field: FilterField | null, valueStart: number): void {
    const report: ReportFault = ({ start: from, end: to }, ...fault) => {
      // The fault of a missing value points at its key.
      this.#report({ start: from === to && from === valueStart ? start : from, end: to }, ...fault);
    };
    const { end, value } = scanValue(this.#text, valueStart, styleOf(field), report);
    this.#at = end;
    const term = value === null ? null : readTerm(field, value, this.#names, report);
    this.#addMember(term === null ? NOTHING : this.#meaningOf(term, field, { start, end }));
  }

  #isNextNegated(): boolean {
    return this.#frame.isNegated !== this.#frame.isNextNegated;
  }

  #meaningOf(term: Term, field: FilterField | null, place: Place): NodeJson {
    for (const placed of term.checked) this.#check(placed, field);
    const meaning = this.#isNextNegated() ? term.whenFalse() : term.whenTrue();
    if (meaning !== null) {
      this.#conditionCount += 'conditions' in meaning ? meaning.conditions.length : 1;
      return meaning;
    }
    const message =
      'This condition cannot be negated. text*, *text, /pattern/, org, site and comparisons of versions of software have no opposite.';
    this.#report(place, 'not_negatable', message);
    return NOTHING;
  }

  #tooMany(): TextFault {
    const most = MAX_CONDITIONS_OF_TEXT.toLocaleString('en');
    return {
      start: this.#at,
      end: this.#text.length,
      code: 'too_many_conditions',
      message: `The filter has more than ${most} conditions. A word without a key, such as chrome, counts as ${BARE_FIELDS.length}.`,
      suggestions: [],
    };
  }

  #check(placed: PlacedLeaf, field: FilterField | null): void {
    for (const fault of checkLeaf(this.#text, placed, field, this.#rules)) {
      this.#report(fault, fault.code, fault.message, fault.suggestions);
    }
  }

  #report(...[place, code, message, suggestions = []]: Parameters<ReportFault>): void {
    if (this.#faults.length >= MAX_FAULTS) return;
    this.#faults.push({ start: place.start, end: place.end, code, message, suggestions });
  }
}
