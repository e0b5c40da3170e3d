/** The JSON schema (draft 7) of glpi-project/inventory_format. */
import { isIPv4, isIPv6 } from 'node:net';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import schema from './inventory.schema.json' with { type: 'json' };

/**
 * Returns at most 20 faults; with `isBrief`, only the first. Dates are checked only for their form, because
 * agents write months that do not exist.
 */
export function schemaFaults(value: unknown, isBrief = false): readonly string[] {
  const validate = validator(!isBrief);
  if (validate(value)) return [];
  // anyOf and oneOf only repeat the faults of their alternatives.
  const faults = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf');
  const lines = [...new Set(faults.map(faultText))];
  const rest = lines.length - MAX_FAULTS;
  return rest > 0 ? [...lines.slice(0, MAX_FAULTS), `and ${rest} more`] : lines;
}

const MAX_FAULTS = 20;

/** Compiled at the first use, because compiling takes a tenth of a second. */
const validators = new Map<boolean, ValidateFunction>();

function validator(allErrors: boolean): ValidateFunction {
  const known = validators.get(allErrors);
  if (known !== undefined) return known;
  // Not strict: the schema has custom keywords and lists without a type.
  const ajv = new Ajv({ strict: false, allErrors });
  ajv.addFormat('ipv4', isIPv4);
  ajv.addFormat('ipv6', isIPv6);
  const validate = ajv.compile(schema);
  validators.set(allErrors, validate);
  return validate;
}

function faultText({ instancePath, keyword, message = 'is not allowed', params }: ErrorObject): string {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`))
    .join('')
    .slice(1);
  const place = path === '' ? 'the document' : path;
  return keyword === 'additionalProperties'
    ? `${place} must not have "${params.additionalProperty}"`
    : `${place} ${message}`;
}
