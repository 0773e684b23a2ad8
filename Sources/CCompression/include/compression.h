#ifndef TRIPSTORE_COMPRESSION_H
#define TRIPSTORE_COMPRESSION_H

// zlib and zstd without linking to them: their functions are looked up in the system's libraries at run time, so that a
// program that uses this package needs neither to build nor to start. The declarations are those of zlib 1.2.9 and zstd
// 1.3, which later versions have kept.

#include <stddef.h>
#include <stdint.h>

// Both are complete or absent. The libraries stay loaded: nothing here becomes invalid.

typedef struct {
    unsigned long (*bound)(unsigned long size);
    int (*pack)(unsigned char *to, unsigned long *room, const unsigned char *from, unsigned long size, int level);
    int (*unpack)(unsigned char *to, unsigned long *room, const unsigned char *from, unsigned long *size);
} tripstore_zlib;

typedef struct {
    size_t (*bound)(size_t size);
    size_t (*pack)(void *to, size_t room, const void *from, size_t size, int level);
    size_t (*unpack)(void *to, size_t room, const void *from, size_t size);
    size_t (*frame_size)(const void *from, size_t size);
    unsigned (*is_error)(size_t result);
} tripstore_zstd;

// Loads a library by the name of its file; returns whether it is there with all functions.
int tripstore_load_zlib(const char *name, tripstore_zlib *library);
int tripstore_load_zstd(const char *name, tripstore_zstd *library);

// The most bytes that packing so many can yield.
size_t tripstore_zlib_bound(const tripstore_zlib *library, size_t size);
size_t tripstore_zstd_bound(const tripstore_zstd *library, size_t size);

// Packs bytes; returns how many it wrote to `to`, or -1 if it failed.
int64_t tripstore_zlib_pack(
    const tripstore_zlib *library, void *to, size_t room, const void *from, size_t size, int level);
int64_t tripstore_zstd_pack(
    const tripstore_zstd *library, void *to, size_t room, const void *from, size_t size, int level);

// Unpacks all of the bytes, which must be one zlib stream or one zstd frame; returns how many it wrote to `to`, or -1 if
// they are something else or yield more than `room`.
int64_t tripstore_zlib_unpack(const tripstore_zlib *library, void *to, size_t room, const void *from, size_t size);
int64_t tripstore_zstd_unpack(const tripstore_zstd *library, void *to, size_t room, const void *from, size_t size);

#endif
