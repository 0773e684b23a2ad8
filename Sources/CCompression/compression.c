#include "compression.h"

#include <dlfcn.h>
#include <limits.h>

static void *load(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL); }

// Sets a function pointer to a library's function; returns whether there is one. POSIX lets pointers to functions be
// written as pointers to objects.
#define FOUND(library, member, handle, name) ((*(void **)&(library)->member = dlsym(handle, name)) != NULL)

int tripstore_load_zlib(const char *name, tripstore_zlib *library) {
    void *handle = load(name);
    if (!handle) return 0;
    return FOUND(library, bound, handle, "compressBound") && FOUND(library, pack, handle, "compress2") &&
           FOUND(library, unpack, handle, "uncompress2");
}

int tripstore_load_zstd(const char *name, tripstore_zstd *library) {
    void *handle = load(name);
    if (!handle) return 0;
    return FOUND(library, bound, handle, "ZSTD_compressBound") && FOUND(library, pack, handle, "ZSTD_compress") &&
           FOUND(library, unpack, handle, "ZSTD_decompress") &&
           FOUND(library, frame_size, handle, "ZSTD_findFrameCompressedSize") &&
           FOUND(library, is_error, handle, "ZSTD_isError");
}

size_t tripstore_zlib_bound(const tripstore_zlib *library, size_t size) { return library->bound(size); }

size_t tripstore_zstd_bound(const tripstore_zstd *library, size_t size) { return library->bound(size); }

int64_t tripstore_zlib_pack(
    const tripstore_zlib *library, void *to, size_t room, const void *from, size_t size, int level) {
    unsigned long written = room;
    return library->pack(to, &written, from, size, level) == 0 ? (int64_t)written : -1;
}

int64_t tripstore_zlib_unpack(const tripstore_zlib *library, void *to, size_t room, const void *from, size_t size) {
    unsigned long written = room, taken = size;
    if (library->unpack(to, &written, from, &taken) != 0 || taken != size) return -1;
    return (int64_t)written;
}

int64_t tripstore_zstd_pack(
    const tripstore_zstd *library, void *to, size_t room, const void *from, size_t size, int level) {
    size_t written = library->pack(to, room, from, size, level);
    return library->is_error(written) ? -1 : (int64_t)written;
}

int64_t tripstore_zstd_unpack(const tripstore_zstd *library, void *to, size_t room, const void *from, size_t size) {
    size_t frame = library->frame_size(from, size);
    if (library->is_error(frame) || frame != size) return -1;
    size_t written = library->unpack(to, room, from, size);
    return library->is_error(written) ? -1 : (int64_t)written;
}
