#ifndef TRIPSTORE_LIBFUZZER_H
#define TRIPSTORE_LIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// What the compiler's runtime libraries offer, for which the toolchain has no header that Swift could import.

/// libFuzzer's own `main`: reads the arguments and calls `input` until it is told to stop.
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*input)(const uint8_t *bytes, size_t size));

/// Has the address sanitizer call these with each piece of memory that is allocated and freed; 0 if it cannot.
int __sanitizer_install_malloc_and_free_hooks(
    void (*allocated)(const volatile void *memory, size_t size), void (*freed)(const volatile void *memory));

#endif
