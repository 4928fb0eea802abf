// reference DATABASE PAGES THREADS: the portal's pages over FastCGI on descriptor 0, with nothing between
// libfcgi and SQLite, as the limit that the portal is measured against.
//
// It does what a careful C programmer of the same site does. The rows are the portal's own, in plain text,
// in the same tables, with the same pragmas but mmap_size. A page's session is found by the hash of its
// cookie's token, joined with name, roles and language, and its time is noted each five minutes. Each page
// gets the portal's bytes, head and body alike: fresh anti-forgery tokens (HMAC-SHA-256 under a random
// mask), names escaped, numbers and dates written. The list comes from a covering index in the folded
// names' order, and its total from a counter, as the portal's from its directory. Search is FTS5 over the
// names of all people, limited to one person's, the words first. What a page reads it reads in one
// transaction. Saving decodes and checks the form, refuses a wrong token
// or person, knows a form sent twice by an HMAC of its fields, and makes as many changes in one
// transaction as the portal does. Booking looks at the doctor, the hours, the exceptions and the patient's
// other appointments, and claims the units, in that same transaction. The figures of all countries are read in
// the order of the table and put in that of the names, which are in memory. A certificate is decoded and its
// signature verified each time that it is shown, since the keys may be others by then.
//
// It leaves out: encryption; other methods, languages and sites; lists and searches beyond their first
// page; words found across an apostrophe; figures that are not reported, of days, of countries that have
// stopped reporting or of a source that fails; certificates of other formats, codes, keys and countries; zones other than UTC; a waiting list that is to be settled before
// a booking, and other times in place of one that is taken (a bare 409); repeated headers; form errors shown in the form (a bare 422);
// metrics, logs and watchdog; that writers may be of several processes (they queue at a mutex); that a
// database's file may be moved away. PAGES holds templates made of the portal's own answers, with marks
// where something differs.
#pragma once
#include <fcgiapp.h>
#include <sqlite3.h>
#include <stddef.h>
#include <time.h>

enum { HASH = 32, SECRET = 32, TOKEN_TEXT = 43, CSRF_TEXT = 86, DIGITS = 28 };

// text.c
typedef struct { char *bytes; size_t count, capacity; } Buffer;
typedef struct { const char *bytes; size_t count; } Text;
enum Place {
    CSRF, VISITOR_TOKEN, INITIAL, VISITOR, TOTAL, ROWS, ID, HUE, INITIALS, CONTACT, REACH, QUERY, WORDS,
    PAGE_COUNT, PHONE, TELEPHONE, EMAIL, BIRTHDAY, AGE, TURNING_DAY, WORKPLACE, ADDRESS, NOTES, PERSON, COUNTRY,
    COUNTRY_NAME, FLAG, NEW_CASES, NEW_DEATHS, PREVIOUS_CASES, PREVIOUS_DEATHS, CASES, DEATHS, CASES_RATE,
    DEATHS_RATE, REPORT_DAY, PREVIOUS_DAY, UPDATED, FETCHED,
    LABEL, FAMILY, GIVEN, STANDARD_FAMILY, STANDARD_GIVEN, NUMBER, GIVEN_ON, FROM, UNTIL, PLACES
};
typedef struct { Text before; int place; } Part;
typedef struct { Part *parts; size_t count; } Template;

void die(const char *what);
void add(Buffer *out, const char *bytes, size_t count);
void add_escaped(Buffer *out, const char *text, size_t count);
Text text(const char *characters);
Text decimal(char digits[DIGITS], long long value);
Text grouped(char digits[DIGITS], long long value);
Text first_character(Text text);
Text hue(char place[1], Text name);
Text initials(char place[16], Text name);
Text folded(Text name, char *place, size_t capacity);
char *contents(const char *directory, const char *name);
Template template(const char *directory, const char *name);
void fill(Buffer *out, const Template *page, const Text values[PLACES]);

// secrets.c
typedef struct { unsigned char bytes[HASH]; } Hash;
void make_keys(void);
int token_hash(Hash *hash, const char *token, size_t count);
void new_token(char token[TOKEN_TEXT], Hash *hash);
void csrf_token(char token[CSRF_TEXT], const char *kind, const Hash *holder);
int accepts(Text token, const char *kind, const Hash *holder);
Hash mark_of(Text path, const Text *pairs, size_t count);

// fields.c
enum { MOST_FIELDS = 1000, LARGEST_BODY = 512 * 1024 };
typedef struct { Text pairs[2 * MOST_FIELDS]; size_t count; } Fields;
int decode(Fields *fields, char *body, size_t count);
Text field(const Fields *fields, const char *name);
Text last_field(const Fields *fields, const char *name);
Text cookie(const char *cookies, const char *name);

// store.c
typedef struct {
    sqlite3 *database;
    sqlite3_stmt *begin, *begin_write, *commit, *rollback, *session, *touch, *total, *list, *search, *contact,
        *methods, *answered, *insert_contact, *insert_details, *insert_method, *insert_words, *count_one,
        *insert_answer, *practice, *hours, *exceptions, *overlapping, *open_list, *insert_booking, *insert_unit,
        *insert_event, *choice, *figures, *all_figures, *refresh, *certificate, *certificate_key;
} Store;
typedef struct { long long id, person, seen_at; char name[512]; size_t name_count; Hash hash; } Session;

void open_store(Store *store, const char *path);
int run(sqlite3_stmt *statement);
Text column(sqlite3_stmt *statement, int index);
void bind_text(sqlite3_stmt *statement, int index, Text text);
int find_session(Store *store, FCGX_Request *request, Session *session);
void touch(Store *store, const Session *session);
void lock_writers(void);
void unlock_writers(void);

// pages.c, countries.c, certificates.c, save.c, book.c
typedef struct { Store store; Buffer out, rows; Fields fields; char body[LARGEST_BODY + 1]; } Thread;

void load_pages(const char *directory);
void load_answers(const char *directory);
void load_countries(const char *directory);
void load_certificates(const char *directory);
void show_fixed(Thread *thread);
void show_home(Thread *thread);
void show_list(Thread *thread, const Session *session);
void show_found(Thread *thread, const Session *session, const char *query);
void show_contact(Thread *thread, const Session *session, long long id);
void fill_for(Thread *thread, const Template *page, const Session *session, Text values[PLACES]);
Text written(char place[40], const char *date);
Text written_time(char *place, time_t moment);
void show_country(Thread *thread, const Session *session);
void show_countries(Thread *thread, const Session *session);
void show_certificate(Thread *thread, const Session *session, long long id);
typedef int (*Change)(Thread *thread, const Session *session, long long now, long long *id);
int take_form(Thread *thread, FCGX_Request *request, const Session *session);
long long save_once(Thread *thread, const Session *session, const char *path, Change change);
void save(Thread *thread, FCGX_Request *request, const Session *session);
void load_bookings(const char *directory);
void book(Thread *thread, FCGX_Request *request, const Session *session);
void refuse(Thread *thread, const char *status);
