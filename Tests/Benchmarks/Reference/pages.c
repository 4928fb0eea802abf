// What is looked at: each page is a template, filled with what the statements find.
#include "reference.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PAGE_SIZE = 50, DAY_SECONDS = 86400 };
static Template fixed, home, list, found_none, found_one, found_some, found_many, contact_page, row;

void load_pages(const char *directory) {
    fixed = template(directory, "fixed");
    home = template(directory, "home");
    list = template(directory, "list");
    found_none = template(directory, "found-none");
    found_one = template(directory, "found-one");
    found_some = template(directory, "found-some");
    found_many = template(directory, "found-many");
    contact_page = template(directory, "contact");
    row = template(directory, "row");
}

void show_fixed(Thread *thread) {
    static const Text nothing[PLACES];
    fill(&thread->out, &fixed, nothing);
}

void show_home(Thread *thread) {
    Hash hash;
    char token[TOKEN_TEXT], csrf[CSRF_TEXT];
    new_token(token, &hash);
    csrf_token(csrf, "visitor", &hash);
    Text values[PLACES] = {[VISITOR_TOKEN] = {token, TOKEN_TEXT}, [CSRF] = {csrf, CSRF_TEXT}};
    fill(&thread->out, &home, values);
}

void fill_for(Thread *thread, const Template *page, const Session *session, Text values[PLACES]) {
    char csrf[CSRF_TEXT];
    csrf_token(csrf, "session", &session->hash);
    values[CSRF] = (Text){csrf, CSRF_TEXT};
    values[VISITOR] = (Text){session->name, session->name_count};
    values[INITIAL] = first_character(values[VISITOR]);
    fill(&thread->out, page, values);
}

// Digits, and a plus where there is one in front.
static Text dialled(char *place, size_t capacity, Text number) {
    size_t count = 0;
    for (size_t i = 0; i < number.count && count < capacity; i++)
        if (isdigit((unsigned char)number.bytes[i]) || (number.bytes[i] == '+' && count == 0))
            place[count++] = number.bytes[i];
    return (Text){place, count};
}

// The rows of a list's first page into a buffer of their own; how many there are on all pages.
static int add_rows(Thread *thread, sqlite3_stmt *statement) {
    int count = 0;
    thread->rows.count = 0;
    for (; sqlite3_step(statement) == SQLITE_ROW; count++) {
        if (count >= PAGE_SIZE) continue;
        char id[DIGITS], colour[1], letters[16], number[64];
        Text name = column(statement, 1), reach = column(statement, 2);
        Text values[PLACES] = {
            [ID] = decimal(id, sqlite3_column_int64(statement, 0)), [CONTACT] = name,
            [HUE] = hue(colour, name), [INITIALS] = initials(letters, name), [REACH] = reach,
            [TELEPHONE] = dialled(number, sizeof number, reach)};
        fill(&thread->rows, &row, values);
    }
    sqlite3_reset(statement);
    return count;
}

void show_list(Thread *thread, const Session *session) {
    Store *store = &thread->store;
    long long total = 0;
    sqlite3_bind_int64(store->total, 1, session->person);
    if (sqlite3_step(store->total) == SQLITE_ROW) total = sqlite3_column_int64(store->total, 0);
    sqlite3_reset(store->total);
    sqlite3_bind_int64(store->list, 1, session->person);
    add_rows(thread, store->list);
    char digits[DIGITS];
    Text values[PLACES] = {
        [TOTAL] = grouped(digits, total), [ROWS] = {thread->rows.bytes, thread->rows.count}};
    fill_for(thread, &list, session, values);
}

static int is_part_of_word(char byte) {
    return (byte & 0x80) || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
}

// The words as FTS5 wants them, each quoted and the beginning of one; false where there are none.
static int match(Buffer *out, Text words) {
    char place[256];
    Text text = folded(words, place, sizeof place);
    int count = 0;
    out->count = 0;
    for (size_t i = 0; i < text.count; i++) {
        size_t start = i;
        while (i < text.count && is_part_of_word(text.bytes[i])) i++;
        if (i == start) continue;
        add(out, "\"", 1);
        add(out, text.bytes + start, i - start);
        add(out, "\"* ", 3);
        count++;
    }
    return count > 0;
}

void show_found(Thread *thread, const Session *session, const char *query) {
    size_t length = strlen(query);
    Store *store = &thread->store;
    if (length > 8000) return refuse(thread, "414 URI Too Long");
    memcpy(thread->body, query, length);
    if (!decode(&thread->fields, thread->body, length)) return refuse(thread, "400 Bad Request");
    Text words = field(&thread->fields, "q");
    if (!match(&thread->rows, words)) return show_list(thread, session);
    // SQLite keeps a copy, since the rows take the words' place.
    sqlite3_bind_text(store->search, 1, thread->rows.bytes, thread->rows.count, SQLITE_TRANSIENT);
    sqlite3_bind_int64(store->search, 2, session->person);
    int count = add_rows(thread, store->search);
    char digits[DIGITS], pages[DIGITS];
    Text values[PLACES] = {
        [QUERY] = {query, length}, [WORDS] = words, [TOTAL] = grouped(digits, count),
        [ROWS] = {thread->rows.bytes, thread->rows.count},
        [PAGE_COUNT] = grouped(pages, (count + PAGE_SIZE - 1) / PAGE_SIZE)};
    const Template *page = count == 0 ? &found_none : count == 1 ? &found_one
        : count <= PAGE_SIZE ? &found_some : &found_many;
    fill_for(thread, page, session, values);
}

static int two_digits(const char *text) { return (text[0] - '0') * 10 + text[1] - '0'; }

static const char *const months[] = {
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December"};

// "1980-05-02" as "2 May 1980".
Text written(char place[40], const char *date) {
    Buffer out = {place, 0, 40};
    const char *month = months[(two_digits(date + 5) + 11) % 12];
    add(&out, date + 8 + (date[8] == '0'), 2 - (date[8] == '0'));
    add(&out, " ", 1);
    add(&out, month, strlen(month));
    add(&out, " ", 1);
    add(&out, date, 4);
    return (Text){place, out.count};
}

static char *add_two_digits(char *place, int value) {
    *place++ = '0' + value / 10;
    *place++ = '0' + value % 10;
    return place;
}

static char *add_date(char *place, time_t moment) {
    struct tm date;
    gmtime_r(&moment, &date);
    const char *month = months[date.tm_mon];
    size_t count = strlen(month);
    if (date.tm_mday >= 10) *place++ = '0' + date.tm_mday / 10;
    *place++ = '0' + date.tm_mday % 10;
    *place++ = ' ';
    memcpy(place, month, count);
    place += count;
    *place++ = ' ';
    place = add_two_digits(place, (date.tm_year + 1900) / 100);
    return add_two_digits(place, date.tm_year % 100);
}

// "2 May 2020 at 09:05".
Text written_time(char *place, time_t moment) {
    int minutes = moment % DAY_SECONDS / 60;
    char *end = add_date(place, moment);
    memcpy(end, " at ", 4);
    end = add_two_digits(end + 4, minutes / 60);
    *end++ = ':';
    return (Text){place, add_two_digits(end, minutes % 60) - place};
}

// The year of the next birthday, today or later, in UTC.
static int next_year(const char *date) {
    time_t now = time(NULL);
    struct tm today;
    gmtime_r(&now, &today);
    int month = two_digits(date + 5), day = two_digits(date + 8);
    int is_over = month * 100 + day < (today.tm_mon + 1) * 100 + today.tm_mday;
    return today.tm_year + 1900 + is_over;
}

// What is kept of the rows of `methods` while the page is made.
typedef struct { char phone[800], telephone[64], email[800]; } Methods;

static void find_methods(Store *store, long long id, Methods *found, Text values[PLACES]) {
    sqlite3_bind_int64(store->methods, 1, id);
    while (sqlite3_step(store->methods) == SQLITE_ROW) {
        int is_mail = column(store->methods, 0).bytes[0] == 'e';
        Text value = column(store->methods, 1);
        char *place = is_mail ? found->email : found->phone;
        if (value.count > sizeof found->phone) continue;
        memcpy(place, value.bytes, value.count);
        values[is_mail ? EMAIL : PHONE] = (Text){place, value.count};
    }
    sqlite3_reset(store->methods);
    values[TELEPHONE] = dialled(found->telephone, sizeof found->telephone, values[PHONE]);
}

void show_contact(Thread *thread, const Session *session, long long id) {
    sqlite3_stmt *contact = thread->store.contact;
    sqlite3_bind_int64(contact, 1, id);
    sqlite3_bind_int64(contact, 2, session->person);
    if (sqlite3_step(contact) == SQLITE_ROW) {
        char digits[DIGITS], age[DIGITS], birthday[40], turning[40], next[32], colour[1], letters[16];
        Methods methods;
        Text name = column(contact, 0);
        const char *date = column(contact, 1).bytes;
        int year = next_year(date);
        snprintf(next, sizeof next, "%04d%.6s", year, date + 4);
        Text values[PLACES] = {
            [ID] = decimal(digits, id), [CONTACT] = name, [HUE] = hue(colour, name),
            [INITIALS] = initials(letters, name), [BIRTHDAY] = written(birthday, date), [TURNING_DAY] = written(turning, next),
            [AGE] = decimal(age, year - two_digits(date) * 100 - two_digits(date + 2)),
            [WORKPLACE] = column(contact, 2), [ADDRESS] = column(contact, 3),
            [NOTES] = column(contact, 4)};
        find_methods(&thread->store, id, &methods, values);
        fill_for(thread, &contact_page, session, values);
    } else {
        refuse(thread, "404 Not Found");
    }
    sqlite3_reset(contact);
}
