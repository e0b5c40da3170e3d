/**
 * Parses JSON into a filter or its faults (Contract: §1, §4). The stack is explicit: a body of 1 MiB can nest some
 * 30,000 levels.
 */

import { type FieldCatalog, type FilterField, findEntry } from '#domain/filter/catalog/field-catalog.ts';
import { isOperator, type Operator } from '#domain/filter/catalog/operator.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { runSteps, type Steps } from '#domain/steps.ts';
import { isObject } from '#domain/text/json-text.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { type ConditionGroup, type ConditionNode, GROUP_OPERATORS, type GroupOperator } from './condition.ts';
import { type FilterFault, type FilterFaultCode, faultPath } from './filter-fault.ts';
import { understandCondition } from './understand-condition.ts';

/** Why the pattern is refused; null if it is accepted. */
export type RefusePattern = (pattern: string) => string | null;

/**
 * An error has 1 to 100 faults, in document order. By default every regular expression passes and must be
 * checked later.
 */
export function parseConditions(
  input: unknown,
  catalog: FieldCatalog,
  refusePattern: RefusePattern = () => null,
): Result<ConditionGroup, readonly FilterFault[]> {
  return runSteps(new Parser(catalog, refusePattern).parse(input));
}

/** Reads one element at each step, so the caller can pause: 1 MiB takes a tenth of a second. */
export function parseConditionsInSteps(
  input: unknown,
  catalog: FieldCatalog,
  refusePattern: RefusePattern = () => null,
): Steps<Result<ConditionGroup, readonly FilterFault[]>> {
  return new Parser(catalog, refusePattern).parse(input);
}

type RawObject = Readonly<Record<string, unknown>>;

interface OpenGroup {
  readonly operator: GroupOperator;
  readonly raw: readonly unknown[];
  readonly members: ConditionNode[];
  next: number;
}

class Parser {
  readonly #catalog: FieldCatalog;
  readonly #refusePattern: RefusePattern;
  readonly #faults: FilterFault[] = [];
  /** The open groups, outermost first. Their indices form a fault's path. */
  readonly #open: OpenGroup[] = [];

  constructor(catalog: FieldCatalog, refusePattern: RefusePattern) {
    this.#catalog = catalog;
    this.#refusePattern = refusePattern;
  }

  *parse(input: unknown): Steps<Result<ConditionGroup, readonly FilterFault[]>> {
    if (!isObject(input)) {
      this.#fault('', 'not_a_group', `conditions must be a group ${GROUP_SHAPE}, not ${describe(input)}`);
      return err(this.#faults);
    }
    if (!Object.hasOwn(input, 'conditions') && Object.hasOwn(input, 'field')) {
      const message = `conditions must be a group ${GROUP_SHAPE}. Put the condition into a group.`;
      this.#fault('', 'not_a_group', message);
      return err(this.#faults);
    }
    let root: ConditionGroup | null = null;
    this.#openGroup(input);
    for (let group = this.#open.at(-1); group !== undefined && !this.#isFull; group = this.#open.at(-1)) {
      if (group.next < group.raw.length) {
        group.next++;
        const element = group.raw[group.next - 1];
        if (isObject(element) && Object.hasOwn(element, 'conditions')) this.#openGroup(element);
        else this.#readCondition(element, group.members);
      } else {
        this.#open.pop();
        const closed: ConditionGroup = { kind: 'group', operator: group.operator, conditions: group.members };
        const parent = this.#open.at(-1);
        if (parent === undefined) root = closed;
        else parent.members.push(closed);
      }
      yield;
    }
    return root === null || this.#faults.length > 0 ? err(this.#faults) : ok(root);
  }

  /** Pushes the group onto `#open` if its `conditions` are an array. */
  #openGroup(raw: RawObject): void {
    const { operator, conditions } = raw;
    for (const member of Object.keys(raw)) {
      if (this.#isFull) return;
      if (member === 'field' || member === 'value') {
        const message = `An element cannot have both ${member} and conditions. Use a condition ${CONDITION_SHAPE} or a group ${GROUP_SHAPE}.`;
        this.#fault(member, 'ambiguous_node', message);
      } else if (member !== 'operator' && member !== 'conditions') {
        this.#unknownMember(member, 'A group', ['operator', 'conditions']);
      }
    }
    if (operator === undefined) {
      this.#fault('operator', 'invalid_group_operator', 'operator is missing. Use AND or OR.');
    } else if (!GROUP_OPERATORS.includes(operator as GroupOperator)) {
      const message = `operator must be AND or OR, in upper case, not ${describe(operator)}`;
      this.#fault('operator', 'invalid_group_operator', message);
    }
    if (!Array.isArray(conditions)) {
      const takes = 'an array of conditions and groups';
      const message =
        conditions === undefined
          ? `conditions is missing. It must be ${takes}.`
          : `conditions must be ${takes}, not ${describe(conditions)}`;
      this.#fault('conditions', 'not_a_group', message);
      return;
    }
    if (conditions.length === 0) {
      this.#fault('conditions', 'empty_group', 'conditions is empty. A group needs at least one condition.');
    }
    this.#open.push({ operator: operator as GroupOperator, raw: conditions, members: [], next: 0 });
  }

  #readCondition(raw: unknown, into: ConditionNode[]): void {
    if (!isObject(raw)) {
      const message = `An element must be a condition ${CONDITION_SHAPE} or a group ${GROUP_SHAPE}, not ${describe(raw)}`;
      this.#fault('', 'invalid_node', message);
      return;
    }
    for (const member of Object.keys(raw)) {
      if (this.#isFull) return;
      if (member !== 'field' && member !== 'operator' && member !== 'value') {
        this.#unknownMember(member, 'A condition', ['field', 'operator', 'value'], ['conditions']);
      }
    }
    if (!Object.hasOwn(raw, 'field')) {
      const message = `An element must be a condition ${CONDITION_SHAPE} or a group ${GROUP_SHAPE}. This one has neither field nor conditions.`;
      this.#fault('', 'invalid_node', message);
      return;
    }
    const field = this.#readField(raw.field);
    if (field === null) return;
    const operator = this.#readOperator(raw.operator, field);
    if (operator === null) return;
    const { value } = raw;
    const criterion = understandCondition(field, operator, value);
    if (!criterion.ok) {
      for (const { member, code, message } of criterion.error) this.#fault(member, code, message);
      return;
    }
    const { predicate } = criterion.value;
    const reason = predicate.kind === 'pattern' ? this.#refusePattern(predicate.pattern) : null;
    if (reason === null) into.push({ ...criterion.value, operator, value });
    else this.#fault('value', 'invalid_pattern', reason);
  }

  #readField(key: unknown): FilterField | null {
    const entry = typeof key === 'string' ? findEntry(this.#catalog, key) : undefined;
    if (entry?.kind === 'field') return entry.field;
    if (entry?.kind === 'ambiguous') {
      const message = `${entry.key} has different types in the organizations that you can access. To use it, save the filter in one organization.`;
      this.#fault('field', 'ambiguous_custom_field', message);
    } else if (typeof key === 'string') {
      this.#fault('field', 'unknown_field', `No field ${describe(key)}. ${this.#adviseOn(key)}`);
    } else {
      this.#fault(
        'field',
        'unknown_field',
        `field must be a field key such as "hostname", not ${describe(key)}`,
      );
    }
    return null;
  }

  #adviseOn(key: string): string {
    const near = nearestWord(key, this.#catalog.keys());
    if (near === null) return 'GET /api/v1/filters/fields lists all fields.';
    const isCase = near.toLowerCase() === key.toLowerCase();
    return `Did you mean ${near}?${isCase ? ' Field keys are case-sensitive.' : ''}`;
  }

  #readOperator(operator: unknown, field: FilterField): Operator | null {
    const allowed = `${field.key} allows ${field.operators.join(', ')}.`;
    if (typeof operator !== 'string' || !isOperator(operator)) {
      const near = typeof operator === 'string' ? nearestWord(operator, field.operators) : null;
      const what = operator === undefined ? 'operator is missing' : `No operator ${describe(operator)}`;
      const hint = near === null ? '' : `Did you mean ${near}? `;
      this.#fault('operator', 'unknown_operator', `${what}. ${hint}${allowed}`);
      return null;
    }
    if (!field.operators.includes(operator)) {
      const message = `${operator} is not allowed on the ${field.type} field ${field.key}. ${allowed}`;
      this.#fault('operator', 'operator_not_allowed', message);
      return null;
    }
    return operator;
  }

  #unknownMember(
    member: string,
    of: string,
    known: readonly string[],
    alsoMeant: readonly string[] = [],
  ): void {
    const near = nearestWord(member, [...known, ...alsoMeant]);
    const advice = near === null ? `Use ${known.join(', ')}.` : `Did you mean ${near}?`;
    this.#fault('', 'unknown_member', `${of} has no member ${describe(member)}. ${advice}`);
  }

  get #isFull(): boolean {
    return this.#faults.length >= MAX_FAULTS;
  }

  #fault(member: string, code: FilterFaultCode, message: string): void {
    if (this.#isFull) return;
    const indices = this.#open.map((group) => group.next - 1);
    this.#faults.push({ path: faultPath(indices, member), code, message });
  }
}

const CONDITION_SHAPE = '{"field", "operator", "value"}';
const GROUP_SHAPE = '{"operator": "AND" or "OR", "conditions": [...]}';
