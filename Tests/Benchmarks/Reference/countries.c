// COVID-19 figures: of the chosen country, and of all countries in the order of their names.
#include "reference.h"
#include <math.h>
#include <string.h>
#include <time.h>

enum { LETTERS = 26, DATE_TEXT = 40 };
// From the portal's list: the code, the name in English and the flag's address, in the order of names.
typedef struct { Text code, name, flag; } Country;
static Country countries[LETTERS * LETTERS];
static size_t country_count;
static int places[LETTERS * LETTERS];
static Template country_page, list, row;

static Text cut(char **rest, int end) {
    char *start = *rest, *place = strchr(start, end);
    if (!place) die("a list of countries with half a line");
    *rest = place + 1;
    return (Text){start, place - start};
}

static int *place_of(const char *code) { return &places[(code[0] - 'A') * LETTERS + code[1] - 'A']; }

void load_countries(const char *directory) {
    country_page = template(directory, "country");
    list = template(directory, "countries");
    row = template(directory, "country-row");
    for (char *rest = contents(directory, "country-names"); *rest; country_count++) {
        Country *country = &countries[country_count];
        country->code = cut(&rest, '\t');
        country->name = cut(&rest, '\t');
        country->flag = cut(&rest, '\n');
        *place_of(country->code.bytes) = country_count;
    }
}

// A rate per million people, with two digits below ten.
static Text rate(char digits[DIGITS], double value) {
    if (value >= 10) return grouped(digits, llrint(value));
    long long hundredths = llrint(value * 100);
    digits[0] = '0' + hundredths / 100;
    digits[1] = '.';
    digits[2] = '0' + hundredths / 10 % 10;
    digits[3] = '0' + hundredths % 10;
    return (Text){digits, 4};
}

// Fills in when the figures are from and when they were fetched.
typedef struct { char day[DATE_TEXT], fetched[DATE_TEXT]; } State;
static void find_state(sqlite3_stmt *statement, State *state, Text values[PLACES]) {
    if (sqlite3_step(statement) == SQLITE_ROW) {
        values[UPDATED] = written(state->day, column(statement, 0).bytes);
        values[FETCHED] = written_time(state->fetched, sqlite3_column_int64(statement, 1));
    }
    sqlite3_reset(statement);
}

static void set_names(const Country *country, Text values[PLACES]) {
    values[COUNTRY] = country->code;
    values[COUNTRY_NAME] = country->name;
    values[FLAG] = country->flag;
}

void show_country(Thread *thread, const Session *session) {
    Store *store = &thread->store;
    char digits[8][DIGITS], day[DATE_TEXT], before[DATE_TEXT], person[DIGITS];
    State state;
    Text values[PLACES] = {0};
    sqlite3_bind_int64(store->choice, 1, session->person);
    if (sqlite3_step(store->choice) == SQLITE_ROW)
        set_names(&countries[*place_of(column(store->choice, 0).bytes)], values);
    sqlite3_reset(store->choice);
    bind_text(store->figures, 1, values[COUNTRY]);
    if (sqlite3_step(store->figures) == SQLITE_ROW) {
        static const int counts[] = {
            NEW_CASES, NEW_DEATHS, PREVIOUS_CASES, PREVIOUS_DEATHS, CASES, DEATHS};
        for (int i = 0; i < 6; i++)
            values[counts[i]] = grouped(digits[i], sqlite3_column_int64(store->figures, i));
        values[CASES_RATE] = rate(digits[6], sqlite3_column_double(store->figures, 6));
        values[DEATHS_RATE] = rate(digits[7], sqlite3_column_double(store->figures, 7));
        values[REPORT_DAY] = written(day, column(store->figures, 8).bytes);
        values[PREVIOUS_DAY] = written(before, column(store->figures, 9).bytes);
    }
    sqlite3_reset(store->figures);
    find_state(store->refresh, &state, values);
    values[PERSON] = decimal(person, session->person);
    fill_for(thread, &country_page, session, values);
}

// The figures of a row of the list.
typedef struct { long long new_cases, cases, deaths; double cases_rate, deaths_rate; } Figures;

static void add_row(Buffer *out, const Country *country, const Figures *figures) {
    char digits[5][DIGITS];
    Text values[PLACES];
    set_names(country, values);
    values[NEW_CASES] = grouped(digits[0], figures->new_cases);
    values[CASES] = grouped(digits[1], figures->cases);
    values[CASES_RATE] = rate(digits[2], figures->cases_rate);
    values[DEATHS] = grouped(digits[3], figures->deaths);
    values[DEATHS_RATE] = rate(digits[4], figures->deaths_rate);
    fill(out, &row, values);
}

void show_countries(Thread *thread, const Session *session) {
    sqlite3_stmt *all = thread->store.all_figures;
    Figures figures[LETTERS * LETTERS];
    while (sqlite3_step(all) == SQLITE_ROW)
        figures[*place_of(column(all, 0).bytes)] = (Figures){
            sqlite3_column_int64(all, 1), sqlite3_column_int64(all, 2), sqlite3_column_int64(all, 3),
            sqlite3_column_double(all, 4), sqlite3_column_double(all, 5)};
    sqlite3_reset(all);
    thread->rows.count = 0;
    for (size_t i = 0; i < country_count; i++) add_row(&thread->rows, &countries[i], &figures[i]);
    State state;
    char person[DIGITS];
    Text values[PLACES] = {
        [ROWS] = {thread->rows.bytes, thread->rows.count}, [PERSON] = decimal(person, session->person)};
    find_state(thread->store.refresh, &state, values);
    fill_for(thread, &list, session, values);
}
