#include "platform.h"

// The environments of which the calling thread has read transactions, the newest last.
static _Thread_local struct {
    uintptr_t environments[15];
    uintptr_t count;
} reads;

int tripstore_is_reading(uintptr_t environment) {
    for (uintptr_t index = 0; index < reads.count; index++) {
        if (reads.environments[index] == environment) return 1;
    }
    return 0;
}

void tripstore_begin_reading(uintptr_t environment) {
    if (reads.count < 15) reads.environments[reads.count++] = environment;
}

void tripstore_end_reading(uintptr_t environment) {
    for (uintptr_t index = reads.count; index > 0; index--) {
        if (reads.environments[index - 1] != environment) continue;
        for (; index < reads.count; index++) reads.environments[index - 1] = reads.environments[index];
        reads.count--;
        return;
    }
}
