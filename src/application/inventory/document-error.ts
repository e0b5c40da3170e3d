import { type ApplicationError, type FieldError, toValidationError } from '#application/application-error.ts';
import { type DocumentRefusal, MAX_DOCUMENT_BYTES } from '#application/ports/fleet/message-reader.ts';

export function toDocumentError(refusal: DocumentRefusal): ApplicationError {
  switch (refusal.kind) {
    case 'too-large':
      return {
        code: 'payload_too_large',
        detail: `The document is larger than ${MAX_DOCUMENT_BYTES} bytes (32 MiB) when it is inflated.`,
      };
    case 'no-json':
      return { code: 'invalid_json', detail: `the document ${refusal.fault}` };
    case 'faulty':
      return toValidationError(refusal.faults.map(toFault));
  }
}

function toFault(fault: string): FieldError {
  const message = /^(is|has) /.test(fault) ? `the document ${fault}` : fault;
  return { path: '', code: 'invalid_document', message };
}
