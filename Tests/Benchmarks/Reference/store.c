// SQLite: a connection and its prepared statements for each thread.
#include "reference.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { IDLE_TIMEOUT = 3600, LIFETIME = 12 * 3600, TOUCH_INTERVAL = 300 };
static pthread_mutex_t writers = PTHREAD_MUTEX_INITIALIZER;

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL))
        die(sqlite3_errmsg(database));
    return statement;
}

static void prepare_reads(Store *store) {
    sqlite3 *database = store->database;
    store->begin = prepared(database, "BEGIN");
    store->commit = prepared(database, "COMMIT");
    store->session = prepared(
        database,
        "SELECT id_session, person, seen_at, name, roles, language, carried IS NOT NULL"
        " FROM sessions JOIN profiles USING (person) JOIN accounts USING (person)"
        " WHERE token_hash = ? AND seen_at > ? AND sessions.created_at > ? AND state = 'active'");
    store->total = prepared(database, "SELECT contacts FROM address_books WHERE person = ?");
    store->list = prepared(
        database,
        "SELECT id_contact, name, reach FROM contacts WHERE person = ? AND deleted_at IS NULL"
        " ORDER BY folded, name, id_contact LIMIT 50");
    store->search = prepared(
        database,
        // CROSS: the words first. Left to itself, SQLite looks for the words of each contact.
        "SELECT id_contact, contacts.name, reach"
        " FROM contacts_words CROSS JOIN contacts ON id_contact = contacts_words.rowid"
        " WHERE contacts_words MATCH ? AND person = ? AND deleted_at IS NULL"
        " ORDER BY folded, contacts.name, id_contact");
    store->contact = prepared(
        database,
        "SELECT name, birthday, workplace, address, notes"
        " FROM contacts JOIN contact_details USING (id_contact)"
        " WHERE id_contact = ? AND person = ? AND deleted_at IS NULL");
    store->methods = prepared(
        database,
        "SELECT type, value FROM communication_methods WHERE id_contact = ? ORDER BY position");
    store->choice = prepared(database, "SELECT country FROM choices WHERE person = ?");
    store->figures = prepared(
        database,
        "SELECT new_cases, new_deaths, previous_cases, previous_deaths, cases, deaths, cases_per_million,"
        " deaths_per_million, day, previous_day FROM covid_stats_countries WHERE country = ?");
    store->all_figures = prepared(
        database,
        "SELECT country, new_cases, cases, deaths, cases_per_million, deaths_per_million"
        " FROM covid_stats_countries");
    store->refresh = prepared(database, "SELECT day, fetched_at FROM covid_stats_refresh");
    store->certificate = prepared(
        database, "SELECT label, payload, grid FROM certificates WHERE id_certificate = ? AND person = ?");
    store->certificate_key = prepared(
        database, "SELECT public_key FROM certificate_keys WHERE kid = ?");
}

static void prepare_writes(Store *store) {
    sqlite3 *database = store->database;
    store->begin_write = prepared(database, "BEGIN IMMEDIATE");
    store->rollback = prepared(database, "ROLLBACK");
    store->touch = prepared(database, "UPDATE sessions SET seen_at = ? WHERE id_session = ?");
    store->answered = prepared(database, "SELECT answer FROM answered_forms WHERE form = ?");
    store->insert_contact = prepared(
        database,
        "INSERT INTO contacts (person, name, folded, reach, created_at) VALUES (?, ?, ?, ?, ?)");
    store->insert_details = prepared(
        database,
        "INSERT INTO contact_details (id_contact, birthday, workplace, address, notes)"
        " VALUES (?, ?, ?, ?, ?)");
    store->insert_method = prepared(
        database,
        "INSERT INTO communication_methods (id_contact, position, type, value) VALUES (?, ?, ?, ?)");
    store->insert_words = prepared(
        database, "INSERT INTO contacts_words (rowid, name, workplace, email) VALUES (?, ?, ?, ?)");
    store->count_one = prepared(
        database, "UPDATE address_books SET contacts = contacts + 1 WHERE person = ?");
    store->insert_answer = prepared(
        database, "INSERT INTO answered_forms (form, answer, answered_at) VALUES (?, ?, ?)");
}

static void prepare_booking(Store *store) {
    sqlite3 *database = store->database;
    store->practice = prepared(
        database,
        "SELECT id_department, id_clinic, slot_minutes FROM appointments_doctors AS doctors"
        " JOIN appointments_departments AS departments ON id_department = department"
        " JOIN appointments_clinics AS clinics ON id_clinic = clinic"
        " WHERE id_doctor = ? AND doctors.person IS NOT NULL AND disabled_at IS NULL"
        " AND departments.closed_at IS NULL AND clinics.closed_at IS NULL");
    store->hours = prepared(
        database,
        "SELECT starts, ends, kind FROM appointments_hours WHERE doctor = ? AND weekday = ?"
        " ORDER BY starts");
    store->exceptions = prepared(
        database,
        "SELECT starts, ends FROM appointments_exceptions WHERE doctor = ?1 AND date = ?2"
        " UNION ALL SELECT starts, ends FROM appointments_exceptions WHERE clinic = ?3 AND date = ?2");
    store->overlapping = prepared(
        database,
        "SELECT 1 FROM appointments WHERE person = ? AND starts_at > ? AND starts_at < ?"
        " AND ends_at > ? AND status IN ('booked', 'arrived') LIMIT 1");
    store->open_list = prepared(
        database, "SELECT 1 FROM appointments_sessions WHERE doctor = ? AND closed_at IS NULL");
    store->insert_booking = prepared(
        database,
        "INSERT INTO appointments (person, created_at, doctor, status, starts_at, ends_at, time_zone,"
        " changed_at, sealed) VALUES (?1, ?2, ?3, 'booked', ?4, ?5, 'UTC', ?2, ?6)");
    store->insert_unit = prepared(
        database,
        "INSERT INTO appointments_claimed_units (doctor, unit, appointment) VALUES (?, ?, ?)"
        " ON CONFLICT (doctor, unit) DO NOTHING");
    store->insert_event = prepared(
        database,
        "INSERT INTO appointments_history (appointment, sequence, status, starts_at, at, actor,"
        " actor_role) VALUES (?, 0, 'booked', ?, ?, ?, 'patient')");
}

void open_store(Store *store, const char *path) {
    if (sqlite3_open_v2(path, &store->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        die("cannot open the database");
    sqlite3_busy_timeout(store->database, 5000);
    sqlite3_exec(
        store->database,
        "PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
        "PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 1073741824",
        NULL, NULL, NULL);
    prepare_reads(store);
    prepare_writes(store);
    prepare_booking(store);
}

// Runs a statement without rows.
int run(sqlite3_stmt *statement) {
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code;
}

Text column(sqlite3_stmt *statement, int index) {
    const char *bytes = (const char *)sqlite3_column_text(statement, index);
    return (Text){bytes ? bytes : "", sqlite3_column_bytes(statement, index)};
}

void bind_text(sqlite3_stmt *statement, int index, Text text) {
    sqlite3_bind_text(statement, index, text.bytes, text.count, SQLITE_STATIC);
}

// Whose session the request's cookie names; false where it is nobody's.
int find_session(Store *store, FCGX_Request *request, Session *session) {
    Text token = cookie(FCGX_GetParam("HTTP_COOKIE", request->envp), "__Host-session");
    if (!token.bytes || !token_hash(&session->hash, token.bytes, token.count)) return 0;
    long long now = time(NULL);
    sqlite3_stmt *statement = store->session;
    sqlite3_bind_blob(statement, 1, session->hash.bytes, HASH, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, now - IDLE_TIMEOUT);
    sqlite3_bind_int64(statement, 3, now - LIFETIME);
    int found = sqlite3_step(statement) == SQLITE_ROW;
    if (found) {
        session->id = sqlite3_column_int64(statement, 0);
        session->person = sqlite3_column_int64(statement, 1);
        session->seen_at = sqlite3_column_int64(statement, 2);
        Text name = column(statement, 3);
        session->name_count = name.count < sizeof session->name ? name.count : sizeof session->name;
        memcpy(session->name, name.bytes, session->name_count);
    }
    sqlite3_reset(statement);
    return found;
}

void lock_writers(void) { pthread_mutex_lock(&writers); }
void unlock_writers(void) { pthread_mutex_unlock(&writers); }

// Notes that the session is in use, at most once in five minutes, unless somebody else writes.
void touch(Store *store, const Session *session) {
    long long now = time(NULL);
    if (now - session->seen_at < TOUCH_INTERVAL || pthread_mutex_trylock(&writers)) return;
    sqlite3_bind_int64(store->touch, 1, now);
    sqlite3_bind_int64(store->touch, 2, session->id);
    run(store->touch);
    unlock_writers();
}
