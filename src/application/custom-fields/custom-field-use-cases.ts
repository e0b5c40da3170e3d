import { makeDeny, makeEntryFactory } from '#application/audit/make-entry.ts';
import type { AuditLog } from '#application/ports/audit/audit-log.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { CustomFieldReader } from '#application/ports/filters/custom-field-store.ts';
import type { IdGenerator } from '#application/ports/id-generator.ts';
import type { UnitOfWork } from '#application/ports/unit-of-work.ts';
import {
  type CreateCustomField,
  type DeleteCustomField,
  type ListCustomFields,
  makeCreateCustomField,
  makeDeleteCustomField,
  makeListCustomFields,
  makeUpdateCustomField,
  type UpdateCustomField,
} from './manage-custom-fields.ts';

export interface CustomFieldUseCases {
  readonly listCustomFields: ListCustomFields;
  readonly createCustomField: CreateCustomField;
  readonly updateCustomField: UpdateCustomField;
  readonly deleteCustomField: DeleteCustomField;
}

export interface CustomFieldPorts {
  readonly definedFields: CustomFieldReader;
  readonly unitOfWork: UnitOfWork;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly newId: IdGenerator;
}

export function makeCustomFieldUseCases(ports: CustomFieldPorts): CustomFieldUseCases {
  const makeEntry = makeEntryFactory(ports);
  const deps = { ...ports, makeEntry, deny: makeDeny({ ...ports, makeEntry }) };
  return {
    listCustomFields: makeListCustomFields(deps),
    createCustomField: makeCreateCustomField(deps),
    updateCustomField: makeUpdateCustomField(deps),
    deleteCustomField: makeDeleteCustomField(deps),
  };
}
