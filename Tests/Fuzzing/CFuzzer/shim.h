#include <stddef.h>
#include <stdint.h>

// libFuzzer, as a library (llvm.org/docs/LibFuzzer.html).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*body)(const uint8_t *data, size_t size));
