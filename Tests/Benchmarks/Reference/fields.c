// What browsers send: forms, queries and cookies.
#include "reference.h"
#include <string.h>

static int digit(char character) {
    if (character >= '0' && character <= '9') return character - '0';
    character |= 0x20;
    return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

// Decodes in place up to an end; the place behind it, or null for what cannot be understood.
static char *decode_one(Text *decoded, char *from, const char *end, char separator) {
    char *to = from;
    decoded->bytes = from;
    for (; from < end && *from != '&' && *from != separator; from++) {
        if (*from == '+') {
            *to++ = ' ';
        } else if (*from == '%') {
            if (end - from < 3 || digit(from[1]) < 0 || digit(from[2]) < 0) return NULL;
            *to++ = digit(from[1]) << 4 | digit(from[2]);
            from += 2;
        } else {
            *to++ = *from;
        }
    }
    decoded->count = to - decoded->bytes;
    return from;
}

static int is_unicode(Text text) {
    const unsigned char *bytes = (const unsigned char *)text.bytes, *end = bytes + text.count;
    while (bytes < end) {
        unsigned char first = *bytes++;
        if (first < 0x80) continue;
        if (first < 0xC2 || first > 0xF4) return 0;
        int more = 1 + (first >= 0xE0) + (first >= 0xF0);
        if (end - bytes < more) return 0;
        for (; more > 0; more--)
            if ((*bytes++ & 0xC0) != 0x80) return 0;
    }
    return 1;
}

// Pairs of a name and a value, which point into the body.
int decode(Fields *fields, char *body, size_t count) {
    const char *end = body + count;
    fields->count = 0;
    while (body < end) {
        if (fields->count == 2 * MOST_FIELDS) return 0;
        Text *pair = &fields->pairs[fields->count];
        pair[1] = (Text){"", 0};
        if (!(body = decode_one(&pair[0], body, end, '='))) return 0;
        if (body < end && *body == '=' && !(body = decode_one(&pair[1], body + 1, end, '&'))) return 0;
        if (!is_unicode(pair[0]) || !is_unicode(pair[1])) return 0;
        fields->count += 2;
        body++;
    }
    return 1;
}

Text field(const Fields *fields, const char *name) {
    size_t count = strlen(name);
    for (size_t i = 0; i < fields->count; i += 2)
        if (fields->pairs[i].count == count && !memcmp(fields->pairs[i].bytes, name, count))
            return fields->pairs[i + 1];
    return (Text){"", 0};
}

Text last_field(const Fields *fields, const char *name) {
    size_t count = strlen(name);
    for (size_t i = fields->count; i >= 2; i -= 2)
        if (fields->pairs[i - 2].count == count && !memcmp(fields->pairs[i - 2].bytes, name, count))
            return fields->pairs[i - 1];
    return (Text){"", 0};
}

Text cookie(const char *cookies, const char *name) {
    size_t count = strlen(name);
    while (cookies) {
        while (*cookies == ' ') cookies++;
        if (!strncmp(cookies, name, count) && cookies[count] == '=')
            return (Text){cookies + count + 1, strcspn(cookies + count + 1, "; ")};
        if ((cookies = strchr(cookies, ';'))) cookies++;
    }
    return (Text){NULL, 0};
}
