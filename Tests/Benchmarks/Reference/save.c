// What is changed: a new contact.
#include "reference.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static Template saved;

void load_answers(const char *directory) { saved = template(directory, "saved"); }

// Whether the form was made for the session's person.
static int is_of(const Fields *fields, const Session *session) {
    char person[DIGITS];
    Text expected = decimal(person, session->person), sent = field(fields, "person");
    return sent.count == expected.count && !memcmp(sent.bytes, expected.bytes, sent.count);
}

static int is_date(Text date) {
    if (date.count != 10 || date.bytes[4] != '-' || date.bytes[7] != '-') return 0;
    for (int i = 0; i < 10; i++)
        if (i != 4 && i != 7 && !isdigit((unsigned char)date.bytes[i])) return 0;
    int month = atoi(date.bytes + 5), day = atoi(date.bytes + 8);
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

static int is_contact(const Fields *fields) {
    Text name = field(fields, "name"), birthday = field(fields, "birthday");
    return name.count > 0 && name.count <= 800 && (birthday.count == 0 || is_date(birthday))
        && field(fields, "workplace").count <= 800 && field(fields, "address").count <= 2000
        && field(fields, "notes").count <= 20000;
}

static int insert_methods(Thread *thread, long long id) {
    sqlite3_stmt *insert = thread->store.insert_method;
    const Fields *fields = &thread->fields;
    int position = 0;
    for (size_t i = 0; i + 2 < fields->count; i += 2) {
        const Text *pair = &fields->pairs[i];
        if (pair[0].count != 11 || memcmp(pair[0].bytes, "method_type", 11)) continue;
        if (pair[2].count != 12 || memcmp(pair[2].bytes, "method_value", 12)) continue;
        if (pair[3].count == 0) continue;
        sqlite3_bind_int64(insert, 1, id);
        sqlite3_bind_int64(insert, 2, position++);
        bind_text(insert, 3, pair[1]);
        bind_text(insert, 4, pair[3]);
        if (run(insert) != SQLITE_DONE) return 0;
    }
    return 1;
}

// The way of reaching that the list shows: the first.
static Text reach(const Fields *fields) { return field(fields, "method_value"); }

// Browsers send lines that end in CR LF.
static Text lines(Text text) {
    char *to = (char *)text.bytes;
    for (size_t i = 0; i < text.count; i++)
        if (text.bytes[i] != '\r') *to++ = text.bytes[i];
    return (Text){text.bytes, to - text.bytes};
}

static int insert(Thread *thread, const Session *session, long long now, long long *id) {
    Store *store = &thread->store;
    const Fields *fields = &thread->fields;
    char place[1024];
    Text name = field(fields, "name");
    sqlite3_bind_int64(store->insert_contact, 1, session->person);
    bind_text(store->insert_contact, 2, name);
    bind_text(store->insert_contact, 3, folded(name, place, sizeof place));
    bind_text(store->insert_contact, 4, reach(fields));
    sqlite3_bind_int64(store->insert_contact, 5, now);
    if (run(store->insert_contact) != SQLITE_DONE) return 0;
    *id = sqlite3_last_insert_rowid(store->database);
    const char *const details[] = {"birthday", "workplace", "address", "notes"};
    sqlite3_bind_int64(store->insert_details, 1, *id);
    for (int i = 0; i < 4; i++) bind_text(store->insert_details, i + 2, lines(field(fields, details[i])));
    if (run(store->insert_details) != SQLITE_DONE || !insert_methods(thread, *id)) return 0;
    sqlite3_bind_int64(store->insert_words, 1, *id);
    bind_text(store->insert_words, 2, name);
    bind_text(store->insert_words, 3, field(fields, "workplace"));
    // The form's last method is the e-mail address.
    bind_text(store->insert_words, 4, last_field(fields, "method_value"));
    sqlite3_bind_int64(store->count_one, 1, session->person);
    return run(store->insert_words) == SQLITE_DONE && run(store->count_one) == SQLITE_DONE;
}

// Where the form led to when it was sent before: 0 when it was not.
static long long earlier(Store *store, const Hash *mark) {
    sqlite3_bind_blob(store->answered, 1, mark->bytes, HASH, SQLITE_STATIC);
    int is_there = sqlite3_step(store->answered) == SQLITE_ROW;
    long long id = is_there ? sqlite3_column_int64(store->answered, 0) : 0;
    sqlite3_reset(store->answered);
    return id;
}

static int remember(Store *store, const Hash *mark, long long id, long long now) {
    sqlite3_bind_blob(store->insert_answer, 1, mark->bytes, HASH, SQLITE_STATIC);
    sqlite3_bind_int64(store->insert_answer, 2, id);
    sqlite3_bind_int64(store->insert_answer, 3, now);
    return run(store->insert_answer) == SQLITE_DONE;
}

// Makes a change in one transaction, once for each form; the number of what was stored, 0 when it failed.
long long save_once(Thread *thread, const Session *session, const char *path, Change change) {
    Store *store = &thread->store;
    const Fields *fields = &thread->fields;
    Hash mark = mark_of(text(path), fields->pairs, fields->count);
    long long now = time(NULL), id = 0;
    lock_writers();
    if (run(store->begin_write) == SQLITE_DONE) {
        id = earlier(store, &mark);
        int is_done = id || (change(thread, session, now, &id) && remember(store, &mark, id, now));
        if (!is_done || run(store->commit) != SQLITE_DONE) {
            run(store->rollback);
            id = 0;
        }
    }
    unlock_writers();
    return id;
}

// Reads a form of the session's person; false when it was refused.
int take_form(Thread *thread, FCGX_Request *request, const Session *session) {
    const char *length = FCGX_GetParam("CONTENT_LENGTH", request->envp);
    const char *type = FCGX_GetParam("CONTENT_TYPE", request->envp);
    const char *site = FCGX_GetParam("HTTP_SEC_FETCH_SITE", request->envp);
    Fields *fields = &thread->fields;
    int announced = length ? atoi(length) : 0;
    const char *reason = NULL;
    if (site && strcmp(site, "same-origin")) reason = "403 Forbidden";
    else if (!type || strncmp(type, "application/x-www-form-urlencoded", 33))
        reason = "415 Unsupported Media Type";
    else if (announced > LARGEST_BODY) reason = "413 Content Too Large";
    else if (FCGX_GetStr(thread->body, announced, request->in) != announced
             || !decode(fields, thread->body, announced))
        reason = "400 Bad Request";
    else if (!is_of(fields, session)) reason = "409 Conflict";
    else if (!accepts(field(fields, "csrf"), "session", &session->hash)) reason = "403 Forbidden";
    else if (field(fields, "once").count == 0) reason = "422 Unprocessable Content";
    if (reason) refuse(thread, reason);
    return !reason;
}

void save(Thread *thread, FCGX_Request *request, const Session *session) {
    if (!take_form(thread, request, session)) return;
    if (!is_contact(&thread->fields)) return refuse(thread, "422 Unprocessable Content");
    long long id = save_once(thread, session, "/contacts/new", insert);
    if (!id) return refuse(thread, "503 Service Unavailable");
    char digits[DIGITS];
    Text values[PLACES] = {[ID] = decimal(digits, id)};
    fill(&thread->out, &saved, values);
}
