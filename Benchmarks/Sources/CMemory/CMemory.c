#include "CMemory.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void memory_trim(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void memory_touch(size_t bytes) {
    unsigned char *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
    if (start == MAP_FAILED) return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t offset = 0; offset < bytes; offset += page) ((volatile unsigned char *)start)[offset] = 1;
    munmap(start, bytes);
}
