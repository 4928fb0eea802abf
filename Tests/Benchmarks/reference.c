// reference DATABASE PAGES THREADS: answers FastCGI on descriptor 0 with nothing between the library and
// SQLite, as the limit that the portal is measured against. PAGES is a directory: `robots.txt` and
// `home.html` are answered as they are, `contacts.html` is a frame with marks for what differs.
// A connection and its prepared statements belong to each thread.
#define _GNU_SOURCE
#include <fcgiapp.h>
#include <openssl/sha.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct { char *bytes; size_t count, capacity; } Buffer;
typedef struct { sqlite3 *database; sqlite3_stmt *session, *list, *total; Buffer out; } Thread;
typedef struct { long long id; char name[256]; } Owner;

enum { BEFORE_INITIAL, BEFORE_NAME, BEFORE_TOTAL, BEFORE_ROWS, AFTER_ROWS, PARTS };
static const char *marks[] = {"%initial%", "%owner%", "%total%", "%rows%"};
static char *contacts_frame[PARTS], *robots, *home;
static const char *database_path;

static void die(const char *what) {
    fprintf(stderr, "reference: %s\n", what);
    exit(1);
}

static void add(Buffer *out, const char *bytes, size_t count) {
    if (out->count + count > out->capacity) {
        out->capacity = (out->count + count) * 2;
        if (!(out->bytes = realloc(out->bytes, out->capacity))) die("out of memory");
    }
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

static void add_text(Buffer *out, const char *text) { add(out, text, strlen(text)); }

static void add_number(Buffer *out, long long value) {
    char text[24];
    add(out, text, snprintf(text, sizeof text, "%lld", value));
}

static void add_escaped(Buffer *out, const char *text, size_t count) {
    size_t start = 0;
    for (size_t i = 0; i < count; i++) {
        const char *reference;
        switch (text[i]) {
            case '&': reference = "&amp;"; break;
            case '<': reference = "&lt;"; break;
            case '>': reference = "&gt;"; break;
            case '"': reference = "&quot;"; break;
            case '\'': reference = "&#39;"; break;
            default: continue;
        }
        add(out, text + start, i - start);
        add_text(out, reference);
        start = i + 1;
    }
    add(out, text + start, count - start);
}

// The bytes of the first character of UTF-8.
static size_t first_character(const char *text, size_t count) {
    size_t end = count > 0;
    while (end < count && (text[end] & 0xC0) == 0x80) end++;
    return end;
}

static char *contents(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    char *text = calloc(1, 1 << 20);
    if (fread(text, 1, (1 << 20) - 1, file) == 0) die(path);
    fclose(file);
    return text;
}

static sqlite3_stmt *prepared(sqlite3 *database, const char *sql) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL))
        die(sqlite3_errmsg(database));
    return statement;
}

// Whose session the cookie names; an owner of number 0 when nobody's.
static Owner owner_of(Thread *thread, FCGX_Request *request) {
    Owner owner = {0};
    const char *cookies = FCGX_GetParam("HTTP_COOKIE", request->envp);
    const char *token = cookies ? strstr(cookies, "__Host-session=") : NULL;
    if (!token) return owner;
    token += strlen("__Host-session=");
    unsigned char hash[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)token, strcspn(token, ";"), hash);
    sqlite3_bind_blob(thread->session, 1, hash, sizeof hash, SQLITE_STATIC);
    sqlite3_bind_int64(thread->session, 2, time(NULL));
    if (sqlite3_step(thread->session) == SQLITE_ROW) {
        owner.id = sqlite3_column_int64(thread->session, 0);
        snprintf(owner.name, sizeof owner.name, "%s",
                 (const char *)sqlite3_column_text(thread->session, 1));
    }
    sqlite3_reset(thread->session);
    return owner;
}

static void add_contacts(Thread *thread, const Owner *owner) {
    Buffer *out = &thread->out;
    size_t count = strlen(owner->name);
    add_text(out, contacts_frame[BEFORE_INITIAL]);
    add_escaped(out, owner->name, first_character(owner->name, count));
    add_text(out, contacts_frame[BEFORE_NAME]);
    add_escaped(out, owner->name, count);
    add_text(out, contacts_frame[BEFORE_TOTAL]);
    sqlite3_bind_int64(thread->total, 1, owner->id);
    if (sqlite3_step(thread->total) == SQLITE_ROW)
        add_number(out, sqlite3_column_int64(thread->total, 0));
    sqlite3_reset(thread->total);
    add_text(out, contacts_frame[BEFORE_ROWS]);
    sqlite3_bind_int64(thread->list, 1, owner->id);
    while (sqlite3_step(thread->list) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(thread->list, 1);
        size_t length = sqlite3_column_bytes(thread->list, 1);
        add_text(out, "<li><a href=\"/contacts/");
        add_number(out, sqlite3_column_int64(thread->list, 0));
        add_text(out, "\"><span class=\"with-initial\">"
                      "<span class=\"initial\" aria-hidden=\"true\">");
        add_escaped(out, name, first_character(name, length));
        add_text(out, "</span><span><strong><bdi>");
        add_escaped(out, name, length);
        add_text(out, "</bdi></strong></span></span></a></li>");
    }
    sqlite3_reset(thread->list);
    add_text(out, contacts_frame[AFTER_ROWS]);
}

static void answer(Thread *thread, FCGX_Request *request) {
    static const char html[] =
        "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n\r\n";
    static const char text[] =
        "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\n\r\n";
    Buffer *out = &thread->out;
    const char *target = FCGX_GetParam("REQUEST_URI", request->envp);
    out->count = 0;
    if (!target) {
        add_text(out, "Status: 400 Bad Request\r\n\r\n");
    } else if (!strcmp(target, "/robots.txt")) {
        add_text(out, text);
        add_text(out, robots);
    } else if (!strcmp(target, "/")) {
        add_text(out, html);
        add_text(out, home);
    } else if (!strcmp(target, "/contacts")) {
        Owner owner = owner_of(thread, request);
        if (owner.id == 0) {
            add_text(out, "Status: 403 Forbidden\r\n\r\n");
        } else {
            add_text(out, html);
            add_contacts(thread, &owner);
        }
    } else {
        add_text(out, "Status: 404 Not Found\r\n\r\n");
    }
}

static void *serve(void *unused) {
    (void)unused;
    Thread *thread = calloc(1, sizeof *thread);
    if (sqlite3_open_v2(database_path, &thread->database,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        die("cannot open the database");
    sqlite3_exec(thread->database, "PRAGMA mmap_size=268435456", NULL, NULL, NULL);
    thread->session = prepared(
        thread->database,
        "SELECT owner, name FROM sessions JOIN owners USING (owner)"
        " WHERE token_hash = ? AND expires > ?");
    thread->list = prepared(
        thread->database,
        "SELECT id_contact, name FROM contacts WHERE owner = ? ORDER BY name LIMIT 50");
    thread->total = prepared(
        thread->database, "SELECT count(*) FROM contacts WHERE owner = ?");
    FCGX_Request request;
    FCGX_InitRequest(&request, 0, 0);
    while (FCGX_Accept_r(&request) == 0) {
        answer(thread, &request);
        FCGX_PutStr(thread->out.bytes, thread->out.count, request.out);
        FCGX_Finish_r(&request);
    }
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 4) die("usage: reference DATABASE PAGES THREADS");
    database_path = arguments[1];
    robots = contents(arguments[2], "robots.txt");
    home = contents(arguments[2], "home.html");
    char *rest = contents(arguments[2], "contacts.html");
    for (int part = 0; part < PARTS - 1; part++) {
        contacts_frame[part] = rest;
        if (!(rest = strstr(rest, marks[part]))) die("the frame lacks a mark");
        *rest = 0;
        rest += strlen(marks[part]);
    }
    contacts_frame[AFTER_ROWS] = rest;
    FCGX_Init();
    pthread_t thread;
    for (int i = 1; i < atoi(arguments[3]); i++) pthread_create(&thread, NULL, serve, NULL);
    serve(NULL);
    return 0;
}
