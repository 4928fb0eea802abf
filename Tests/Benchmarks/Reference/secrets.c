// Tokens of sessions and forms.
#include "reference.h"
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <string.h>
#include <sys/random.h>

// An HMAC's key, as far as it can be worked on before the message is known.
typedef struct { SHA256_CTX inner, outer; } Key;
static Key forms, answers;

static void random_bytes(unsigned char *bytes, size_t count) {
    if (getrandom(bytes, count, 0) != (ssize_t)count) die("no random bytes");
}

static void make_key(Key *key) {
    unsigned char secret[HASH], inner[SHA256_CBLOCK], outer[SHA256_CBLOCK];
    random_bytes(secret, sizeof secret);
    memset(inner, 0x36, sizeof inner);
    memset(outer, 0x5C, sizeof outer);
    for (size_t i = 0; i < sizeof secret; i++) inner[i] ^= secret[i], outer[i] ^= secret[i];
    SHA256_Init(&key->inner);
    SHA256_Update(&key->inner, inner, sizeof inner);
    SHA256_Init(&key->outer);
    SHA256_Update(&key->outer, outer, sizeof outer);
}

void make_keys(void) {
    make_key(&forms);
    make_key(&answers);
}

static Hash hash_of(const unsigned char *bytes, size_t count) {
    Hash hash;
    SHA256_CTX message;
    SHA256_Init(&message);
    SHA256_Update(&message, bytes, count);
    SHA256_Final(hash.bytes, &message);
    return hash;
}

static Hash finish(const Key *key, SHA256_CTX *message) {
    Hash hash;
    SHA256_Final(hash.bytes, message);
    SHA256_CTX outer = key->outer;
    SHA256_Update(&outer, hash.bytes, sizeof hash.bytes);
    SHA256_Final(hash.bytes, &outer);
    return hash;
}

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

static void encode(char *text, const unsigned char *bytes, size_t count) {
    unsigned pending = 0, bits = 0;
    for (size_t i = 0; i < count; i++) {
        pending = pending << 8 | bytes[i];
        for (bits += 8; bits >= 6;) bits -= 6, *text++ = alphabet[pending >> bits & 63];
    }
    if (bits) *text = alphabet[pending << (6 - bits) & 63];
}

static int value_of(char character) {
    if (character >= 'A' && character <= 'Z') return character - 'A';
    if (character >= 'a' && character <= 'z') return character - 'a' + 26;
    if (character >= '0' && character <= '9') return character - '0' + 52;
    return character == '-' ? 62 : character == '_' ? 63 : -1;
}

// Whether the text is all and nothing but the base64url of so many bytes.
static int decoded(unsigned char *bytes, size_t wanted, const char *text, size_t count) {
    if (count != (wanted * 4 + 2) / 3) return 0;
    unsigned pending = 0, bits = 0;
    for (size_t i = 0; i < count; i++) {
        int value = value_of(text[i]);
        if (value < 0) return 0;
        pending = pending << 6 | (unsigned)value;
        bits += 6;
        if (bits >= 8) bits -= 8, *bytes++ = pending >> bits;
    }
    return (pending & ((1u << bits) - 1)) == 0;
}

int token_hash(Hash *hash, const char *token, size_t count) {
    unsigned char bytes[SECRET];
    if (!decoded(bytes, SECRET, token, count)) return 0;
    *hash = hash_of(bytes, SECRET);
    return 1;
}

void new_token(char token[TOKEN_TEXT], Hash *hash) {
    unsigned char bytes[SECRET];
    random_bytes(bytes, SECRET);
    encode(token, bytes, SECRET);
    *hash = hash_of(bytes, SECRET);
}

static Hash code_of(const char *kind, const Hash *holder) {
    SHA256_CTX message = forms.inner;
    SHA256_Update(&message, kind, strlen(kind) + 1);
    SHA256_Update(&message, holder->bytes, HASH);
    return finish(&forms, &message);
}

void csrf_token(char token[CSRF_TEXT], const char *kind, const Hash *holder) {
    unsigned char bytes[2 * HASH];
    Hash code = code_of(kind, holder);
    random_bytes(bytes, HASH);
    for (int i = 0; i < HASH; i++) bytes[HASH + i] = bytes[i] ^ code.bytes[i];
    encode(token, bytes, sizeof bytes);
}

int accepts(Text token, const char *kind, const Hash *holder) {
    unsigned char bytes[2 * HASH];
    if (!decoded(bytes, sizeof bytes, token.bytes, token.count)) return 0;
    Hash code = code_of(kind, holder);
    for (int i = 0; i < HASH; i++) bytes[i] ^= bytes[HASH + i];
    return CRYPTO_memcmp(bytes, code.bytes, HASH) == 0;
}

// What stands for a form: all that was sent but its anti-forgery token.
Hash mark_of(Text path, const Text *pairs, size_t count) {
    SHA256_CTX message = answers.inner;
    SHA256_Update(&message, &path.count, sizeof path.count);
    SHA256_Update(&message, path.bytes, path.count);
    for (size_t i = 0; i < count; i += 2) {
        if (pairs[i].count == 4 && !memcmp(pairs[i].bytes, "csrf", 4)) continue;
        for (size_t j = i; j < i + 2; j++) {
            SHA256_Update(&message, &pairs[j].count, sizeof pairs[j].count);
            SHA256_Update(&message, pairs[j].bytes, pairs[j].count);
        }
    }
    return finish(&answers, &message);
}
