#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

// OPENSSL_free is a macro with the place of the call, which Swift does not see.
static inline void openssl_free(void *memory) { OPENSSL_free(memory); }
