#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// OPENSSL_free is a macro with the place of the call, which Swift does not see.
static inline void openssl_free(void *memory) { OPENSSL_free(memory); }
