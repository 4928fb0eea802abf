#include <sqlite3.h>

// Swift cannot call what takes a variable number of arguments. Without statistics of its memory SQLite
// takes no lock for each allocation, which all threads would share; to be called before any database is
// opened.
static inline int sqlite3_config_without_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// Turns the triggers of the schema off (0) or on (1), for one connection.
static inline int sqlite3_enable_triggers(sqlite3 *database, int enabled) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, enabled, (int *)0);
}
