/**
 * From unknown JSON to a filter, or to every fault in it with its path (Contract: §1, §4). It walks with a stack
 * of its own: a body of one megabyte can nest some 30,000 levels.
 */
import type { FieldCatalog, FilterField } from '#domain/filter/catalog/field-catalog.ts';
import { isOperator } from '#domain/filter/catalog/operator.ts';
import { describe } from '#domain/filter/values/parse-scalar.ts';
import { MAX_FAULTS } from '#domain/limits.ts';
import { err, ok, type Result } from '#domain/result.ts';
import { nearestWord } from '#domain/text/nearest-word.ts';
import { type ConditionGroup, type ConditionNode, GROUP_OPERATORS, type GroupOperator } from './condition.ts';
import { type FilterFault, type FilterFaultCode, faultPath } from './filter-fault.ts';
import { understandCondition } from './understand-condition.ts';

/** The filter, or at least one and at most 100 faults in the order in which they stand in the document. */
export function parseConditions(
  input: unknown,
  catalog: FieldCatalog,
): Result<ConditionGroup, readonly FilterFault[]> {
  return new Parser(catalog).parse(input);
}

type RawObject = Readonly<Record<string, unknown>>;

interface OpenGroup {
  readonly operator: GroupOperator;
  readonly raw: readonly unknown[];
  readonly members: ConditionNode[];
  /** The next element to read. */
  next: number;
}

class Parser {
  readonly #catalog: FieldCatalog;
  readonly #faults: FilterFault[] = [];
  /** The groups that are open, outermost first; together they are the path. */
  readonly #open: OpenGroup[] = [];

  constructor(catalog: FieldCatalog) {
    this.#catalog = catalog;
  }

  parse(input: unknown): Result<ConditionGroup, readonly FilterFault[]> {
    if (!isObject(input) || (!Object.hasOwn(input, 'conditions') && Object.hasOwn(input, 'field'))) {
      this.#fault(
        '',
        'not_a_group',
        `a filter is a group {"operator": "AND" or "OR", "conditions": [...]}, not ${isObject(input) ? 'a bare condition; put it into a group' : describe(input)}`,
      );
      return err(this.#faults);
    }
    let root: ConditionGroup | null = null;
    this.#openGroup(input);
    for (let group = this.#open.at(-1); group !== undefined; group = this.#open.at(-1)) {
      if (this.#faults.length >= MAX_FAULTS) break;
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
    }
    return root === null || this.#faults.length > 0 ? err(this.#faults.slice(0, MAX_FAULTS)) : ok(root);
  }

  /** Checks a group's own members and goes into it; a group without a list is noted and stays closed. */
  #openGroup(raw: RawObject): void {
    const { operator, conditions } = raw;
    for (const member of Object.keys(raw)) {
      if (member === 'field' || member === 'value') {
        this.#fault(
          member,
          'ambiguous_node',
          `an element is a condition (field, operator, value) or a group (operator, conditions), not both`,
        );
      } else if (member !== 'operator' && member !== 'conditions') {
        this.#unknownMember(member, 'a group', ['operator', 'conditions']);
      }
    }
    if (!GROUP_OPERATORS.includes(operator as GroupOperator)) {
      this.#fault(
        'operator',
        'invalid_group_operator',
        `the operator of a group is AND or OR, in capitals, not ${operator === undefined ? 'missing' : describe(operator)}`,
      );
    }
    if (!Array.isArray(conditions)) {
      this.#fault(
        'conditions',
        'not_a_group',
        `conditions must be an array, not ${conditions === undefined ? 'missing' : describe(conditions)}`,
      );
      return;
    }
    if (conditions.length === 0) {
      this.#fault('conditions', 'empty_group', 'a group needs at least one condition');
    }
    this.#open.push({ operator: operator as GroupOperator, raw: conditions, members: [], next: 0 });
  }

  #readCondition(raw: unknown, into: ConditionNode[]): void {
    if (!isObject(raw)) {
      this.#fault(
        '',
        'invalid_node',
        `an element must be a condition {"field", "operator", "value"} or a group {"operator", "conditions"}, not ${describe(raw)}`,
      );
      return;
    }
    for (const member of Object.keys(raw)) {
      if (member !== 'field' && member !== 'operator' && member !== 'value') {
        this.#unknownMember(member, 'a condition', ['field', 'operator', 'value', 'conditions']);
      }
    }
    if (!Object.hasOwn(raw, 'field')) {
      this.#fault(
        '',
        'invalid_node',
        'an element must be a condition with a field, or a group with conditions; this one has neither',
      );
      return;
    }
    const field = this.#readField(raw.field);
    if (field === null) return;
    const { operator } = raw;
    const allowed = `${field.key} takes ${field.operators.join(', ')}`;
    if (typeof operator !== 'string' || !isOperator(operator)) {
      const near = typeof operator === 'string' ? nearestWord(operator, field.operators) : null;
      this.#fault(
        'operator',
        'unknown_operator',
        operator === undefined
          ? `the condition has no operator; ${allowed}`
          : `there is no operator ${describe(operator)}${near === null ? '' : ` (did you mean ${near}?)`}; ${allowed}`,
      );
      return;
    }
    if (!field.operators.includes(operator)) {
      this.#fault(
        'operator',
        'operator_not_allowed',
        `${operator} is not allowed on the ${field.type} field ${field.key}; ${allowed}`,
      );
      return;
    }
    const value = raw.value;
    const question = understandCondition(field, operator, value);
    if (question.ok) {
      into.push({ kind: 'condition', field, operator, value, ...question.value });
    } else {
      for (const { member, code, message } of question.error) this.#fault(member, code, message);
    }
  }

  #readField(key: unknown): FilterField | null {
    const entry = typeof key === 'string' ? this.#catalog.get(key) : undefined;
    if (entry?.kind === 'field') return entry.field;
    if (entry?.kind === 'ambiguous') {
      this.#fault(
        'field',
        'ambiguous_custom_field',
        `${entry.key} has different types in the organizations that you can reach; save the filter in one organization to use it there`,
      );
    } else if (typeof key === 'string') {
      const near = nearestWord(key, this.#catalog.keys());
      this.#fault(
        'field',
        'unknown_field',
        `there is no field ${describe(key)}${near === null ? '; GET /api/v1/filters/fields lists them' : `; did you mean ${near}? Field keys are case-sensitive`}`,
      );
    } else {
      this.#fault('field', 'unknown_field', `field must be the key of a field, not ${describe(key)}`);
    }
    return null;
  }

  #unknownMember(member: string, of: string, known: readonly string[]): void {
    const near = nearestWord(member, known);
    this.#fault(
      '',
      'unknown_member',
      `${of} has no member ${describe(member)}${near === null ? '' : `; did you mean ${near}?`}`,
    );
  }

  /** Notes a fault of the element at hand: the last one read of each open group leads to it. */
  #fault(member: string, code: FilterFaultCode, message: string): void {
    if (this.#faults.length >= MAX_FAULTS) return;
    const indices = this.#open.map((group) => group.next - 1);
    this.#faults.push({ path: faultPath(indices, member), code, message });
  }
}

function isObject(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
