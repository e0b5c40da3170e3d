#!/usr/bin/env bash
# Runs what depends on PostgreSQL most on Debian's PostgreSQL 15 (apt-get install postgresql-15), on a cluster that is
# removed afterwards: test/scripts/on-postgres-15.sh [options of vitest]
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$(id -u)" = 0 ]; then PATH=$PATH:/usr/sbin; fi

tests=(
  test/adapters/postgres/contracts.pg.test.ts
  test/adapters/postgres/other-contracts.pg.test.ts
  test/adapters/postgres/setup/provision.slow.pg.test.ts
  test/adapters/postgres/setup/security/row-level-security
  test/api/every-route.both.test.ts
)
exec pg_virtualenv -v 15 -o max_connections=300 -o fsync=off -o synchronous_commit=off -o full_page_writes=off -o log_min_messages=fatal \
  bash -c 'TEST_DATABASE_URL="postgres://$PGUSER:$PGPASSWORD@$PGHOST:$PGPORT/postgres" exec npm run --silent test:all -- \
    --project=postgres --project=slow-postgres "$@"' on-postgres-15 "${tests[@]}" "$@"
