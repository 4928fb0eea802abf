/// The version of the program, from Package.swift.
const char *polyclinic_version(void);

/// The abbreviated commit that the program was built from; empty if the build was told none.
const char *polyclinic_commit(void);

/// The day of the commit, as YYYY-MM-DD; empty if the build was told none.
const char *polyclinic_commit_date(void);
