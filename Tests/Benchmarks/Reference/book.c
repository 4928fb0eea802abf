// What is changed: a booking of a doctor's time.
#include "reference.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { UNIT = 300, DAY = 86400, HORIZON = 365 };
static Template booked;

void load_bookings(const char *directory) { booked = template(directory, "booked"); }

typedef struct { long long doctor, department, clinic, slot; } Practice;

static int digits(Text text, size_t from, size_t count, int *value) {
    *value = 0;
    for (size_t i = from; i < from + count; i++) {
        if (i >= text.count || !isdigit((unsigned char)text.bytes[i])) return 0;
        *value = *value * 10 + text.bytes[i] - '0';
    }
    return 1;
}

// The moment that the clinic's clocks show then, in UTC; 0 for what is no date or no time.
static long long moment(Text date, Text clock, int *minute, int *weekday) {
    int year, month, day, hour, minutes;
    if (date.count != 10 || clock.count != 5 || date.bytes[4] != '-' || date.bytes[7] != '-'
        || clock.bytes[2] != ':')
        return 0;
    if (!digits(date, 0, 4, &year) || !digits(date, 5, 2, &month) || !digits(date, 8, 2, &day)
        || !digits(clock, 0, 2, &hour) || !digits(clock, 3, 2, &minutes))
        return 0;
    struct tm parts = {
        .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day, .tm_hour = hour, .tm_min = minutes};
    long long seconds = timegm(&parts);
    if (parts.tm_mday != day || parts.tm_hour != hour || parts.tm_min != minutes) return 0;
    *minute = hour * 60 + minutes;
    *weekday = (parts.tm_wday + 6) % 7 + 1;
    return seconds;
}

static int names(Text sent, long long number) {
    char place[DIGITS];
    Text expected = decimal(place, number);
    return sent.count == 0 || (sent.count == expected.count && !memcmp(sent.bytes, expected.bytes, sent.count));
}

// The doctor in a department and a clinic, where all are as the form says and nothing is closed.
static int find_practice(Store *store, const Fields *fields, Practice *practice) {
    sqlite3_stmt *statement = store->practice;
    practice->doctor = atoll(field(fields, "doctor").bytes);
    sqlite3_bind_int64(statement, 1, practice->doctor);
    int is_open = sqlite3_step(statement) == SQLITE_ROW;
    if (is_open) {
        practice->department = sqlite3_column_int64(statement, 0);
        practice->clinic = sqlite3_column_int64(statement, 1);
        practice->slot = sqlite3_column_int64(statement, 2) * 60;
    }
    sqlite3_reset(statement);
    return is_open && names(field(fields, "department"), practice->department)
        && names(field(fields, "clinic"), practice->clinic);
}

// Whether an appointment can begin in that minute of a day with these hours: all of it within a stretch of
// work, in the raster of its beginning, and outside of breaks and of what is different on that day.
static int is_worked(Store *store, const Practice *practice, Text date, int weekday, int minute) {
    int end = minute + practice->slot / 60, is_within = 0, is_free = 1;
    sqlite3_stmt *hours = store->hours;
    sqlite3_bind_int64(hours, 1, practice->doctor);
    sqlite3_bind_int64(hours, 2, weekday);
    int begins = 0;
    while (sqlite3_step(hours) == SQLITE_ROW) {
        int starts = sqlite3_column_int(hours, 0), ends = sqlite3_column_int(hours, 1);
        int is_break = sqlite3_column_text(hours, 2)[0] == 'b';
        if (!is_break && starts <= minute && end <= ends) is_within = 1;
        if (!is_break && starts > begins && starts <= minute) begins = starts;
        if (is_break && ends > begins && ends <= minute) begins = ends;
        if (is_break && starts < end && minute < ends) is_free = 0;
    }
    sqlite3_reset(hours);
    sqlite3_stmt *exceptions = store->exceptions;
    sqlite3_bind_int64(exceptions, 1, practice->doctor);
    bind_text(exceptions, 2, date);
    sqlite3_bind_int64(exceptions, 3, practice->clinic);
    while (sqlite3_step(exceptions) == SQLITE_ROW)
        if (sqlite3_column_int(exceptions, 0) < end && minute < sqlite3_column_int(exceptions, 1)) is_free = 0;
    sqlite3_reset(exceptions);
    return is_within && is_free && (minute - begins) * 60 % practice->slot == 0;
}

static int finds(sqlite3_stmt *statement) {
    int found = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_reset(statement);
    return found;
}

static int has_another(Store *store, long long person, long long starts, long long ends) {
    sqlite3_bind_int64(store->overlapping, 1, person);
    sqlite3_bind_int64(store->overlapping, 2, starts - DAY);
    sqlite3_bind_int64(store->overlapping, 3, ends);
    sqlite3_bind_int64(store->overlapping, 4, starts);
    return finds(store->overlapping);
}

// Whether the doctor's waiting list is open, from which those who wait would have to be called before: nobody opens one
// here.
static int has_open_list(Store *store, long long doctor) {
    sqlite3_bind_int64(store->open_list, 1, doctor);
    return finds(store->open_list);
}

static int claim(Store *store, long long doctor, long long id, long long starts, long long ends) {
    for (long long unit = starts / UNIT; unit * UNIT < ends; unit++) {
        sqlite3_bind_int64(store->insert_unit, 1, doctor);
        sqlite3_bind_int64(store->insert_unit, 2, unit);
        sqlite3_bind_int64(store->insert_unit, 3, id);
        if (run(store->insert_unit) != SQLITE_DONE || sqlite3_changes(store->database) != 1) return 0;
    }
    return 1;
}

static int note(Store *store, long long id, long long person, long long starts, long long now) {
    sqlite3_bind_int64(store->insert_event, 1, id);
    sqlite3_bind_int64(store->insert_event, 2, starts);
    sqlite3_bind_int64(store->insert_event, 3, now);
    sqlite3_bind_int64(store->insert_event, 4, person);
    return run(store->insert_event) == SQLITE_DONE;
}

// Stores the booking; false where somebody has the time, or it cannot be booked.
static int insert(Thread *thread, const Session *session, long long now, long long *id) {
    Store *store = &thread->store;
    const Fields *fields = &thread->fields;
    Practice practice;
    int minute = 0, weekday = 0;
    Text date = field(fields, "date"), purpose = field(fields, "purpose");
    long long starts = moment(date, field(fields, "time"), &minute, &weekday);
    if (starts <= now || starts > now + HORIZON * (long long)DAY || purpose.count > 8000) return 0;
    if (!find_practice(store, fields, &practice)) return 0;
    long long ends = starts + practice.slot;
    if (!is_worked(store, &practice, date, weekday, minute)) return 0;
    if (has_another(store, session->person, starts, ends) || has_open_list(store, practice.doctor)) return 0;
    sqlite3_stmt *insert = store->insert_booking;
    sqlite3_bind_int64(insert, 1, session->person);
    sqlite3_bind_int64(insert, 2, now);
    sqlite3_bind_int64(insert, 3, practice.doctor);
    sqlite3_bind_int64(insert, 4, starts);
    sqlite3_bind_int64(insert, 5, ends);
    sqlite3_bind_blob(insert, 6, purpose.bytes, purpose.count, SQLITE_STATIC);
    if (run(insert) != SQLITE_DONE) return 0;
    *id = sqlite3_last_insert_rowid(store->database);
    return claim(store, practice.doctor, *id, starts, ends) && note(store, *id, session->person, starts, now);
}

void book(Thread *thread, FCGX_Request *request, const Session *session) {
    if (!take_form(thread, request, session)) return;
    long long id = save_once(thread, session, "/appointments/book", insert);
    if (!id) return refuse(thread, "409 Conflict");
    char place[DIGITS];
    Text values[PLACES] = {[ID] = decimal(place, id)};
    fill(&thread->out, &booked, values);
}
