import PolyclinicCore

extension AccountsModule {
  /// The schema of everything that people and their accounts stand on, oldest first.
  static let schema: [Migration] =
    Vault.migrations + Throttle.migrations + [
      Migration(
        "0003-accounts",
        """
        CREATE TABLE profiles (
          person \(.person),
          sealed_name \(.bytes) NOT NULL,
          sealed \(.bytes) NOT NULL,
          PRIMARY KEY (person)
        ) \(.strict)
        """,
        """
        CREATE TABLE accounts (
          person \(.person),
          login_hash \(.bytes) NOT NULL UNIQUE,
          email_hash \(.bytes) NOT NULL,
          password TEXT NOT NULL,
          state TEXT NOT NULL,
          roles TEXT NOT NULL,
          wanted_role TEXT NOT NULL,
          language TEXT NOT NULL,
          consent_version \(.integer) NOT NULL,
          consented_at \(.integer) NOT NULL,
          created_at \(.integer) NOT NULL,
          PRIMARY KEY (person)
        ) \(.strict)
        """,
        "CREATE INDEX accounts_email_hash ON accounts (email_hash)",
        """
        CREATE TABLE password_links (
          token_hash \(.bytes) NOT NULL PRIMARY KEY,
          person \(.person),
          expires_at \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX password_links_person ON password_links (person)",
        """
        CREATE TABLE setup_links (
          token_hash \(.bytes) NOT NULL PRIMARY KEY,
          expires_at \(.integer) NOT NULL
        ) \(.strict)
        """),
      Sessions.migration, AnsweredForms.migration, AccessLog.migration, ChangeLog.migration,
      SecretAddressBook.migration, Upload.migration, AccessToken.migration,
      AnsweredRequests.migration, AnsweredForms.migrationToFewerPages, PersonStorage.migration,
      AccountSeal.migration,
    ]
}
