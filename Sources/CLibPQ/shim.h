#include <libpq-fe.h>

// libpq 17 and later can give the rows of a statement in groups, earlier ones only one at a time.
static inline int clibpq_set_row_groups(PGconn *connection, int rows) {
#ifdef LIBPQ_HAS_CHUNK_MODE
  return PQsetChunkedRowsMode(connection, rows);
#else
  (void)rows;
  return PQsetSingleRowMode(connection);
#endif
}

// Whether more groups of rows may follow the one with this status.
static inline int clibpq_is_row_group(ExecStatusType status) {
#ifdef LIBPQ_HAS_CHUNK_MODE
  if (status == PGRES_TUPLES_CHUNK) return 1;
#endif
  return status == PGRES_SINGLE_TUPLE;
}
