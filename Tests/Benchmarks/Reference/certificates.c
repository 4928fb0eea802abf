// A kept certificate: its code drawn, what it says, and whether the key of its issuer has signed it.
#include "reference.h"
#include <openssl/ecdsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <string.h>
#include <zlib.h>

enum { MOST_PACKED = 4096, MOST_BYTES = 64 * 1024, DEEPEST = 16, BORDER = 4, TIME_TEXT = 48, HALF = 32, KID = 8 };
typedef struct { const unsigned char *place, *end; } Bytes;
static Template certificate_page;

void load_certificates(const char *directory) { certificate_page = template(directory, "certificate"); }

// RFC 9285; 0 for text that it does not allow.
static size_t base45(unsigned char *bytes, const char *text, size_t count) {
    static const char alphabet[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
    static unsigned char values[256];
    unsigned char *place = bytes;
    if (!values['1'])
        for (unsigned i = 0; i < 45; i++) values[(unsigned char)alphabet[i]] = i;
    for (size_t i = 0; i + 1 < count; i += 3) {
        unsigned value = values[(unsigned char)text[i]] + 45 * values[(unsigned char)text[i + 1]];
        int is_pair = i + 2 < count;
        if (is_pair) value += 45 * 45 * values[(unsigned char)text[i + 2]];
        if (value > (is_pair ? 0xFFFF : 0xFF)) return 0;
        if (is_pair) *place++ = value >> 8;
        *place++ = value;
    }
    return place - bytes;
}

// The major type of the next item of CBOR (RFC 8949, 3) and its argument; -1 where there is none.
static int head(Bytes *rest, unsigned long long *argument) {
    if (rest->place >= rest->end) return -1;
    unsigned char first = *rest->place++;
    *argument = first & 31;
    if (*argument >= 28) return -1;
    if (*argument >= 24) {
        int count = 1 << (*argument - 24);
        if (rest->end - rest->place < count) return -1;
        for (*argument = 0; count > 0; count--) *argument = *argument << 8 | *rest->place++;
    }
    return first >> 5;
}

static int skip(Bytes *rest, int depth) {
    unsigned long long count;
    int major = head(rest, &count);
    if (major < 0 || depth > DEEPEST) return 0;
    if (major == 2 || major == 3) {
        if (count > (size_t)(rest->end - rest->place)) return 0;
        rest->place += count;
    }
    if (major == 6) return skip(rest, depth + 1);
    for (unsigned long long i = 0; (major == 4 && i < count) || (major == 5 && i < 2 * count); i++)
        if (!skip(rest, depth + 1)) return 0;
    return 1;
}

// The bytes of a string; none for any other item.
static Text string(Bytes item) {
    unsigned long long count;
    int major = head(&item, &count);
    if ((major != 2 && major != 3) || count > (size_t)(item.end - item.place)) return (Text){"", 0};
    return (Text){(const char *)item.place, count};
}

static long long integer(Bytes item) {
    unsigned long long value;
    return head(&item, &value) == 0 ? (long long)value : 0;
}

// The value whose key is this item, as it is written; nothing where there is none.
static Bytes member(Bytes map, const char *key, size_t size) {
    unsigned long long count;
    if (head(&map, &count) != 5) return (Bytes){0};
    for (; count > 0; count--) {
        const unsigned char *start = map.place;
        if (!skip(&map, 0)) break;
        if ((size_t)(map.place - start) == size && !memcmp(start, key, size)) return map;
        if (!skip(&map, 0)) break;
    }
    return (Bytes){0};
}

// By a name of at most 23 letters.
static Bytes named(Bytes map, const char *name) {
    char key[24] = {0x60 + strlen(name)};
    memcpy(key + 1, name, strlen(name));
    return member(map, key, 1 + strlen(name));
}

// The parts of a COSE_Sign1 message (RFC 9052, 4.2).
typedef struct { Text protected, payload, signature; } Message;
static int read_message(Bytes rest, Message *message) {
    unsigned long long count;
    if (head(&rest, &count) != 6 || count != 18 || head(&rest, &count) != 4 || count != 4) return 0;
    message->protected = string(rest);
    if (!skip(&rest, 0) || !skip(&rest, 0)) return 0;
    message->payload = string(rest);
    if (!skip(&rest, 0)) return 0;
    message->signature = string(rest);
    return message->signature.count == 2 * HALF;
}

static void hash_string(SHA256_CTX *hash, Text text) {
    unsigned char head[3] = {0x59, text.count >> 8, text.count};
    if (text.count < 24) head[0] = 0x40 + text.count;
    else if (text.count < 256) head[0] = 0x58, head[1] = text.count;
    SHA256_Update(hash, head, text.count < 24 ? 1 : text.count < 256 ? 2 : 3);
    SHA256_Update(hash, text.bytes, text.count);
}

// The key with the number that the message names (RFC 9052, 3.1: header 4).
static EC_KEY *find_key(Store *store, const Message *message) {
    const unsigned char *start = (const unsigned char *)message->protected.bytes;
    Text kid = string(member((Bytes){start, start + message->protected.count}, "\4", 1));
    sqlite3_bind_blob(store->certificate_key, 1, kid.bytes, kid.count, SQLITE_STATIC);
    EC_KEY *key = NULL;
    if (kid.count == KID && sqlite3_step(store->certificate_key) == SQLITE_ROW) {
        const unsigned char *bytes = sqlite3_column_blob(store->certificate_key, 0);
        key = d2i_EC_PUBKEY(NULL, &bytes, sqlite3_column_bytes(store->certificate_key, 0));
    }
    sqlite3_reset(store->certificate_key);
    return key;
}

static int is_signed(Store *store, const Message *message) {
    EC_KEY *key = find_key(store, message);
    if (!key) return 0;
    SHA256_CTX content;
    unsigned char hash[HASH];
    SHA256_Init(&content);
    SHA256_Update(&content, "\x84\x6ASignature1", 12);
    hash_string(&content, message->protected);
    hash_string(&content, (Text){"", 0});
    hash_string(&content, message->payload);
    SHA256_Final(hash, &content);
    const unsigned char *bytes = (const unsigned char *)message->signature.bytes;
    ECDSA_SIG *signature = ECDSA_SIG_new();
    ECDSA_SIG_set0(signature, BN_bin2bn(bytes, HALF, NULL), BN_bin2bn(bytes + HALF, HALF, NULL));
    int is_right = ECDSA_do_verify(hash, HASH, signature, key) == 1;
    ECDSA_SIG_free(signature);
    EC_KEY_free(key);
    return is_right;
}

// A stroke along each run of dark modules in a row, a move along each of light ones, of nine at most.
static void add_strokes(Buffer *out, Text grid) {
    int side = (unsigned char)grid.bytes[0];
    const unsigned char *bits = (const unsigned char *)grid.bytes + 1;
    for (int row = 0; row < side; row++) {
        char digits[DIGITS];
        Text line = decimal(digits, row + BORDER);
        add(out, "M4 ", 3);
        add(out, line.bytes, line.count);
        add(out, ".5", 2);
        for (int column = 0, count; column < side; column += count) {
            int place = row * side + column, dark = (bits[place / 8] & 0x80 >> place % 8) != 0;
            for (count = 1; count < 9 && column + count < side; count++)
                if (((bits[(place + count) / 8] & 0x80 >> (place + count) % 8) != 0) != dark) break;
            char piece[] = {dark ? 'h' : 'm', '0' + count, ' ', '0'};
            add(out, piece, dark ? 2 : 4);
        }
    }
}

// Fills in what the message says; the places are those of the page.
typedef struct { char born[TIME_TEXT], given[TIME_TEXT], from[TIME_TEXT], until[TIME_TEXT]; } Dates;
static void read_claims(Text payload, Dates *dates, Text values[PLACES]) {
    const unsigned char *start = (const unsigned char *)payload.bytes;
    Bytes claims = {start, start + payload.count};
    Bytes health = member(member(claims, "\x39\x01\x03", 3), "\1", 1);
    Bytes name = named(health, "nam"), entry = named(health, "v");
    unsigned long long count;
    head(&entry, &count);
    values[FAMILY] = string(named(name, "fn"));
    values[GIVEN] = string(named(name, "gn"));
    values[STANDARD_FAMILY] = string(named(name, "fnt"));
    values[STANDARD_GIVEN] = string(named(name, "gnt"));
    values[NUMBER] = string(named(entry, "ci"));
    Text born = string(named(health, "dob")), given = string(named(entry, "dt"));
    if (born.count == 10) values[BIRTHDAY] = written(dates->born, born.bytes);
    if (given.count == 10) values[GIVEN_ON] = written(dates->given, given.bytes);
    values[FROM] = written_time(dates->from, integer(member(claims, "\6", 1)));
    values[UNTIL] = written_time(dates->until, integer(member(claims, "\4", 1)));
}

static int show_code(Thread *thread, const Session *session, long long id, Text code, Text grid, Text label) {
    unsigned char packed[MOST_PACKED], bytes[MOST_BYTES];
    if (code.count < 4 || code.count > MOST_PACKED || memcmp(code.bytes, "HC1:", 4)) return 0;
    size_t count = base45(packed, code.bytes + 4, code.count - 4);
    uLongf size = sizeof bytes;
    Message message;
    if (uncompress(bytes, &size, packed, count) != Z_OK) return 0;
    if (!read_message((Bytes){bytes, bytes + size}, &message)) return 0;
    if (!is_signed(&thread->store, &message)) return 0;
    char digits[DIGITS];
    Dates dates;
    thread->rows.count = 0;
    add_strokes(&thread->rows, grid);
    Text values[PLACES] = {
        [ID] = decimal(digits, id), [LABEL] = label, [ROWS] = {thread->rows.bytes, thread->rows.count}};
    read_claims(message.payload, &dates, values);
    fill_for(thread, &certificate_page, session, values);
    return 1;
}

void show_certificate(Thread *thread, const Session *session, long long id) {
    sqlite3_stmt *statement = thread->store.certificate;
    sqlite3_bind_int64(statement, 1, id);
    sqlite3_bind_int64(statement, 2, session->person);
    int is_shown = sqlite3_step(statement) == SQLITE_ROW
        && show_code(thread, session, id, column(statement, 1), column(statement, 2), column(statement, 0));
    if (!is_shown) refuse(thread, "404 Not Found");
    sqlite3_reset(statement);
}
