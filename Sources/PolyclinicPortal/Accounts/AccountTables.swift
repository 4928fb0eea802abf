import PolyclinicCore
import PolyclinicVault
import PolyclinicWeb

extension AccountsModule {
  /// Readable columns without personal data, each with the reason. They are hashes, sealed values
  /// under other names, and data of the installation.
  package static let impersonal = [
    "accounts.login_hash": "keyed hash", "accounts.email_hash": "keyed hash",
    "accounts.password": "Argon2id hash", "accounts.seal": "code under a key",
    "answered_forms.form": "keyed hash", "answered_forms.request": "keyed hash",
    "api_tokens.token_hash": "hash of a random token",
    "forgotten_passwords": "sealed, and gone in seconds",
    "erasures": "random numbers of those who were erased",
    "installation": "random name and wrapped key",
    "migrations": "the schema's history",
    "password_links.token_hash": "hash of a random token",
    "password_links.seal": "code under a key",
    "accounts.passkey_handle": "sealed", "passkeys.credential_hash": "keyed hash",
    "passkeys.host": "the portal's host name", "spent_challenges": "random, and nobody's",
    "accounts.second_factor": "sealed", "recovery_codes.code_hash": "keyed hash",
    "trusted_browsers.token_hash": "hash of a random token", "trusted_browsers.device": "sealed",
    "people.wrapped_key": "wrapped key", "people.erasure_id": "random number",
    "secret_addresses": "told by the modules that make some",
    "sessions.token_hash": "hash of a random token", "sessions.device": "sealed",
    "sessions.carried": "sealed",
    "guardianships.seal": "code under a key", "consents.seal": "code under a key",
    "guardian_invitations.token_hash": "hash of a random token",
    "guardian_invitations.seal": "code under a key",
    "setup_links": "for the first administrator, who is nobody yet",
  ]

  /// People and accounts, with all that belongs to signing in.
  package static let schema: [Migration] = [
    Migration(
      "0001-accounts",
      Vault.schema + Throttle.schema + accountTables + SecondFactor.schema + Sessions.schema
        + IdempotencyStore.schema + AccessLog.schema + SecretAddressBook.schema
        + Upload.schema + AccessToken.schema + ForgottenPassword.schema + Guardianship.schema
        + GuardianInvitation.schema + SharingConsent.schema + Passkey.schema
        + PasskeyChallenges.schema)
  ]

  private static let accountTables: [SQL] = [
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
      seal \(.bytes) NOT NULL,
      second_factor \(.bytes),
      second_factor_step \(.integer) NOT NULL DEFAULT 0,
      passkey_handle \(.bytes),
      passkey_offer_closed \(.integer) NOT NULL DEFAULT 0,
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
      expires_at \(.integer) NOT NULL,
      seal \(.bytes) NOT NULL,
      kind TEXT NOT NULL
    ) \(.strict)
    """,
    "CREATE INDEX password_links_person ON password_links (person)",
    """
    CREATE TABLE setup_links (
      token_hash \(.bytes) NOT NULL PRIMARY KEY,
      expires_at \(.integer) NOT NULL,
      seal \(.bytes) NOT NULL
    ) \(.strict)
    """,
  ]
}
