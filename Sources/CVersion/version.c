#include "version.h"

// In C, because a definition of a build reaches no Swift source with a value. Only this file is compiled
// again when the commit changes.

const char *polyclinic_version(void) { return POLYCLINIC_VERSION; }

const char *polyclinic_commit(void) { return POLYCLINIC_COMMIT; }

const char *polyclinic_commit_date(void) { return POLYCLINIC_COMMIT_DATE; }
