/** What each failure of the database means: every SQLSTATE class, socket error and message of pg. */
import { DriverException, UniqueConstraintViolationException } from '@mikro-orm/core';
import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import {
  classifyFailure,
  type DatabaseFailure,
  isDatabaseUnavailable,
} from '#adapters/postgres/database-error.ts';

/** One state of every class in PostgreSQL's appendix A, and every state with a meaning that differs from its class. */
const STATES: readonly (readonly [state: string, failure: DatabaseFailure, name: string])[] = [
  ['00000', 'defect', 'successful_completion'],
  ['01000', 'defect', 'warning'],
  ['02000', 'defect', 'no_data'],
  ['03000', 'defect', 'sql_statement_not_yet_complete'],
  ['08000', 'unavailable', 'connection_exception'],
  ['08001', 'unavailable', 'sqlclient_unable_to_establish_sqlconnection'],
  ['08003', 'unavailable', 'connection_does_not_exist'],
  ['08004', 'unavailable', 'sqlserver_rejected_establishment_of_sqlconnection'],
  ['08006', 'unavailable', 'connection_failure'],
  ['08P01', 'unavailable', 'protocol_violation'],
  ['09000', 'defect', 'triggered_action_exception'],
  ['0A000', 'defect', 'feature_not_supported'],
  ['0B000', 'defect', 'invalid_transaction_initiation'],
  ['0F000', 'defect', 'locator_exception'],
  ['0L000', 'defect', 'invalid_grantor'],
  ['0P000', 'defect', 'invalid_role_specification'],
  ['0Z000', 'defect', 'diagnostics_exception'],
  ['20000', 'defect', 'case_not_found'],
  ['21000', 'defect', 'cardinality_violation'],
  ['22000', 'defect', 'data_exception'],
  ['22003', 'defect', 'numeric_value_out_of_range'],
  ['22007', 'defect', 'invalid_datetime_format'],
  ['22008', 'defect', 'datetime_field_overflow'],
  ['22009', 'defect', 'invalid_time_zone_displacement_value'],
  ['2201B', 'invalid-pattern', 'invalid_regular_expression'],
  ['22021', 'defect', 'character_not_in_repertoire'],
  ['22P02', 'defect', 'invalid_text_representation'],
  ['22P05', 'defect', 'untranslatable_character'],
  ['23000', 'defect', 'integrity_constraint_violation'],
  ['23502', 'defect', 'not_null_violation'],
  ['23503', 'missing-reference', 'foreign_key_violation'],
  ['23505', 'duplicate', 'unique_violation'],
  ['23514', 'defect', 'check_violation'],
  ['24000', 'defect', 'invalid_cursor_state'],
  ['25000', 'defect', 'invalid_transaction_state'],
  ['25006', 'unavailable', 'read_only_sql_transaction'],
  ['25P02', 'defect', 'in_failed_sql_transaction'],
  ['25P03', 'unavailable', 'idle_in_transaction_session_timeout'],
  ['25P04', 'unavailable', 'transaction_timeout'],
  ['26000', 'defect', 'invalid_sql_statement_name'],
  ['27000', 'defect', 'triggered_data_change_violation'],
  ['28000', 'unavailable', 'invalid_authorization_specification'],
  ['28P01', 'unavailable', 'invalid_password'],
  ['2B000', 'defect', 'dependent_privilege_descriptors_still_exist'],
  ['2D000', 'defect', 'invalid_transaction_termination'],
  ['2F000', 'defect', 'sql_routine_exception'],
  ['34000', 'defect', 'invalid_cursor_name'],
  ['38000', 'defect', 'external_routine_exception'],
  ['39000', 'defect', 'external_routine_invocation_exception'],
  ['3B000', 'defect', 'savepoint_exception'],
  ['3D000', 'unavailable', 'invalid_catalog_name'],
  ['3F000', 'defect', 'invalid_schema_name'],
  ['40000', 'defect', 'transaction_rollback'],
  ['40001', 'conflict', 'serialization_failure'],
  ['40003', 'defect', 'statement_completion_unknown'],
  ['40P01', 'conflict', 'deadlock_detected'],
  ['42000', 'defect', 'syntax_error_or_access_rule_violation'],
  ['42501', 'defect', 'insufficient_privilege'],
  ['42601', 'defect', 'syntax_error'],
  ['42P01', 'defect', 'undefined_table'],
  ['44000', 'defect', 'with_check_option_violation'],
  ['53000', 'unavailable', 'insufficient_resources'],
  ['53100', 'unavailable', 'disk_full'],
  ['53200', 'unavailable', 'out_of_memory'],
  ['53300', 'unavailable', 'too_many_connections'],
  ['53400', 'unavailable', 'configuration_limit_exceeded'],
  ['54000', 'too-complex', 'program_limit_exceeded'],
  ['54001', 'too-complex', 'statement_too_complex'],
  ['54011', 'too-complex', 'too_many_columns'],
  ['54023', 'too-complex', 'too_many_arguments'],
  ['55000', 'unavailable', 'object_not_in_prerequisite_state'],
  ['55P03', 'conflict', 'lock_not_available'],
  ['57000', 'defect', 'operator_intervention'],
  ['57014', 'stopped', 'query_canceled'],
  ['57P01', 'unavailable', 'admin_shutdown'],
  ['57P02', 'unavailable', 'crash_shutdown'],
  ['57P03', 'unavailable', 'cannot_connect_now'],
  ['57P04', 'unavailable', 'database_dropped'],
  ['57P05', 'unavailable', 'idle_session_timeout'],
  ['58000', 'unavailable', 'system_error'],
  ['58030', 'unavailable', 'io_error'],
  ['58P01', 'unavailable', 'undefined_file'],
  ['F0000', 'defect', 'config_file_error'],
  ['HV000', 'defect', 'fdw_error'],
  ['P0000', 'defect', 'plpgsql_error'],
  ['P0001', 'defect', 'raise_exception'],
  ['XX000', 'defect', 'internal_error'],
  ['XX001', 'defect', 'data_corrupted'],
];

const SOCKET_CODES = [
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETUNREACH',
  'ENFILE',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
];

/** Every message of pg, pg-pool, kysely and MikroORM for a lost connection. */
const LOST_CONNECTIONS = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Connection ended unexpectedly',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
];

describe('classifyFailure', () => {
  test.each(STATES)('%s is %s (%s)', (state, failure) => {
    expect(classifyFailure(aDatabaseError(state))).toBe(failure);
    expect(isDatabaseUnavailable(aDatabaseError(state))).toBe(failure === 'unavailable');
  });

  test.each(STATES)('%s is %s as MikroORM passes it on (%s)', (state, failure) => {
    expect(classifyFailure(new DriverException(aDatabaseError(state)))).toBe(failure);
  });

  test.each([
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('%s of TLS is unavailable', (code) => {
    expect(classifyFailure(Object.assign(new Error('no'), { code }))).toBe('unavailable');
  });

  test.each(SOCKET_CODES)('%s of a socket is unavailable', (code) => {
    expect(classifyFailure(Object.assign(new Error(`connect ${code}`), { code }))).toBe('unavailable');
  });

  test.each(LOST_CONNECTIONS)('%j without a code is unavailable', (message) => {
    expect(classifyFailure(new Error(message))).toBe('unavailable');
    expect(classifyFailure(new DriverException(new Error(message)))).toBe('unavailable');
  });

  test('a host that refuses both IPv6 and IPv4 is unavailable', () => {
    const tries = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), { code: 'ECONNREFUSED' }),
    );
    expect(classifyFailure(new AggregateError(tries))).toBe('unavailable');
  });

  test('several failures without a connection failure among them are a defect', () => {
    expect(classifyFailure(new AggregateError([new Error('one'), new Error('two')]))).toBe('defect');
  });

  test('looks through the errors that libraries wrap around the cause', () => {
    const wrapped = new Error('could not load', {
      cause: new Error('query failed', { cause: aDatabaseError('57P01') }),
    });
    expect(classifyFailure(wrapped)).toBe('unavailable');
  });

  test('takes the outermost failure with a known meaning', () => {
    const duplicate = new UniqueConstraintViolationException(aDatabaseError('23505'));
    expect(classifyFailure(Object.assign(duplicate, { cause: aDatabaseError('57P01') }))).toBe('duplicate');
  });

  test('is not misled by text of a user that the database quotes', () => {
    const quoting = aDatabaseError('22P02', 'invalid input syntax: "Connection terminated unexpectedly"');
    expect(classifyFailure(quoting)).toBe('defect');
  });

  test('does not follow causes in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(classifyFailure(error)).toBe('defect');
  });

  test.each([
    ['an error of our own', new Error('a broken invariant')],
    ['a code that is no SQLSTATE', Object.assign(new Error('no'), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['a code that is a number', Object.assign(new Error('no'), { code: 57 })],
    ['a text', 'Connection terminated'],
    ['nothing', undefined],
    ['null', null],
  ])('%s is a defect', (_what, thrown) => {
    expect(classifyFailure(thrown)).toBe('defect');
  });
});

function aDatabaseError(code: string, message = 'as PostgreSQL says'): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code });
}
