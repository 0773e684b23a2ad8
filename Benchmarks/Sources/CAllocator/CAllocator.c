#include "CAllocator.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void allocator_settle(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
