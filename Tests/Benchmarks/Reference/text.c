// Bytes on their way out: a buffer, what is escaped or folded, and templates with places in them.
#include "reference.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *what) {
    fprintf(stderr, "reference: %s\n", what);
    exit(1);
}

static void grow(Buffer *out, size_t count) {
    out->capacity = (out->count + count) * 2;
    if (!(out->bytes = realloc(out->bytes, out->capacity))) die("out of memory");
}

void add(Buffer *out, const char *bytes, size_t count) {
    if (out->count + count > out->capacity) grow(out, count);
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
}

// What stands for a byte that may not stand in HTML.
static const char *const references[256] = {
    ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;",
};

void add_escaped(Buffer *out, const char *text, size_t count) {
    const unsigned char *start = (const unsigned char *)text, *end = start + count;
    for (const unsigned char *place = start; place < end; place++) {
        const char *reference = references[*place];
        if (!reference) continue;
        add(out, (const char *)start, place - start);
        add(out, reference, strlen(reference));
        start = place + 1;
    }
    add(out, (const char *)start, end - start);
}

Text text(const char *characters) { return (Text){characters, strlen(characters)}; }

Text decimal(char digits[DIGITS], long long value) {
    char *end = digits + DIGITS, *place = end;
    do *--place = '0' + value % 10;
    while (value /= 10);
    return (Text){place, end - place};
}

// With a comma between groups of three digits.
Text grouped(char digits[DIGITS], long long value) {
    char *end = digits + DIGITS, *place = end;
    for (int count = 0; count == 0 || value > 0; value /= 10, count++) {
        if (count > 0 && count % 3 == 0) *--place = ',';
        *--place = '0' + value % 10;
    }
    return (Text){place, end - place};
}

Text first_character(Text text) {
    size_t end = text.count > 0;
    while (end < text.count && (text.bytes[end] & 0xC0) == 0x80) end++;
    return (Text){text.bytes, end};
}

// The number of the colour of an avatar: FNV-1a of the name.
Text hue(char place[1], Text name) {
    unsigned hash = 0x811C9DC5;
    for (size_t i = 0; i < name.count; i++) hash = (hash ^ (unsigned char)name.bytes[i]) * 0x01000193;
    place[0] = '0' + (hash >> 24) % 8;
    return (Text){place, 1};
}

// The first letters of the first and the last word.
Text initials(char place[16], Text name) {
    Buffer out = {place, 0, 16};
    size_t last = name.count;
    while (last > 0 && name.bytes[last - 1] != ' ') last--;
    Text first = first_character(name), second = first_character((Text){name.bytes + last, name.count - last});
    add(&out, first.bytes, first.count);
    if (last > 0) add(&out, second.bytes, second.count);
    return (Text){place, out.count};
}

// Without case and accents, for the letters of Latin-1 and Latin Extended-A.
Text folded(Text name, char *place, size_t capacity) {
    static const char one[] = "aaaaaaaceeeeiiiidnooooo*ouuuuytsaaaaaaaceeeeiiiidnooooo/ouuuuyty";
    static const char two[] =
        "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
        "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";
    size_t count = 0;
    for (size_t i = 0; i < name.count && count < capacity; i++) {
        unsigned char byte = name.bytes[i], next = i + 1 < name.count ? name.bytes[i + 1] : 0;
        if (byte >= 'A' && byte <= 'Z') {
            place[count++] = byte | 0x20;
        } else if (byte == 0xC3 && (next & 0xC0) == 0x80) {
            place[count++] = one[next & 0x3F], i++;
        } else if ((byte == 0xC4 || byte == 0xC5) && (next & 0xC0) == 0x80) {
            place[count++] = two[(byte & 1) << 6 | (next & 0x3F)], i++;
        } else {
            place[count++] = byte;
        }
    }
    return (Text){place, count};
}

static const char *const names[PLACES] = {
    "csrf", "visitor-token", "initial", "visitor", "total", "rows", "id", "hue", "initials", "contact",
    "reach", "query", "words", "page-count", "phone", "telephone", "email", "birthday", "age", "turning-day", "workplace",
    "address",
    "notes", "person", "country", "country-name", "flag", "new-cases", "new-deaths", "previous-cases",
    "previous-deaths", "cases", "deaths", "cases-rate", "deaths-rate", "report-day", "previous-day", "updated",
    "fetched", "label", "family", "given", "standard-family", "standard-given", "number", "given-on",
    "from", "until",
};

static int place_named(const char *name, size_t count) {
    for (int place = 0; place < PLACES; place++)
        if (strlen(names[place]) == count && !memcmp(names[place], name, count)) return place;
    die("a template with an unknown mark");
    return PLACES;
}

char *contents(const char *directory, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (!file) die(path);
    char *text = calloc(1, 1 << 20);
    if (fread(text, 1, (1 << 20) - 1, file) == 0) die(path);
    fclose(file);
    return text;
}

// A mark is a name between the control characters 1 and 2.
Template template(const char *directory, const char *name) {
    char *rest = contents(directory, name), *mark;
    Template page = {malloc(200 * sizeof(Part)), 0};
    while ((mark = strchr(rest, 1)) && page.count < 199) {
        char *end = strchr(mark, 2);
        if (!end) die("a template with half a mark");
        int place = place_named(mark + 1, end - mark - 1);
        page.parts[page.count++] = (Part){{rest, mark - rest}, place};
        rest = end + 1;
    }
    page.parts[page.count++] = (Part){text(rest), PLACES};
    return page;
}

void fill(Buffer *out, const Template *page, const Text values[PLACES]) {
    for (size_t i = 0; i < page->count; i++) {
        const Part *part = &page->parts[i];
        add(out, part->before.bytes, part->before.count);
        if (part->place == PLACES) break;
        const Text *value = &values[part->place];
        switch (part->place) {
            // Made here, of what needs no escaping.
            case CSRF: case VISITOR_TOKEN: case HUE: case INITIALS: case TOTAL: case ROWS: case ID: case PAGE_COUNT: case TELEPHONE:
            case BIRTHDAY: case AGE: case TURNING_DAY: case PERSON: case COUNTRY: case FLAG: case NEW_CASES: case NEW_DEATHS:
            case PREVIOUS_CASES: case PREVIOUS_DEATHS: case CASES: case DEATHS: case CASES_RATE:
            case DEATHS_RATE: case REPORT_DAY: case PREVIOUS_DAY: case UPDATED: case FETCHED:
            case GIVEN_ON: case FROM: case UNTIL:
                add(out, value->bytes, value->count);
                break;
            default: add_escaped(out, value->bytes, value->count);
        }
    }
}
