#include <sqlite3.h>

/// Has a connection keep a file from harming it: what SQL could damage the file with is refused, and functions and virtual
/// tables that are not known to be harmless do nothing for views and triggers of the file. `sqlite3_db_config` is variadic,
/// which Swift does not call.
static inline int broker_distrust_schema(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3031000
  int result = sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  if (result != SQLITE_OK) return result;
  return sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
#else
  return SQLITE_OK;
#endif
}
