#include <sqlite3.h>

// Swift cannot call what takes a variable number of arguments. Without statistics of its memory SQLite
// takes no lock for each allocation, which all threads would share; to be called before any database is
// opened.
static inline int sqlite3_config_without_statistics(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
