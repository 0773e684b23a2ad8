#define _GNU_SOURCE
#include "FileRecorder.h"

#if defined(__linux__)

#include "Trace.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Every function here replaces the C library's. An operation and its record are one step under `trace_lock`, so that
// the order of the records is the order of the operations, over threads and processes; only a sync runs outside, and
// its record says from where on it may have missed something.

// The C library's own function of the name.
#define REAL(name)                                                                                                    \
    ({                                                                                                                \
        static __typeof__(&name) found;                                                                               \
        if (!found) found = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                               \
        found;                                                                                                        \
    })

// MARK: Names

static int is_new(int folder, const char *path) { return faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0; }

static const char *redirected(const char *path) {
    if (!path || strcmp(path, "/proc/sys/kernel/random/boot_id") != 0) return path;
    const char *other = getenv("FILE_RECORDER_BOOT_ID");
    return other && *other ? other : path;
}

// `call` opens the file; the C library's variants differ in flags.
static int open_recorded(const char *call, int folder, const char *path, int flags, mode_t mode) {
    int (*function)(int, const char *, int, ...) = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, call);
    char full[PATH_MAX];
    // A trace has no files without names: as on file systems that have none, programs begin with a name then.
    if ((flags & __O_TMPFILE) == __O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    path = redirected(path);
    int changes = (flags & O_CREAT) || (flags & O_TRUNC);
    if (!changes || !trace_path(folder, path, full)) return function(folder, path, flags, mode);
    trace_lock();
    int isNew = is_new(folder, path);
    int failure = isNew && (flags & O_CREAT) ? trace_failure(FILE_RECORDER_ROOM) : 0;
    int descriptor = failure ? -1 : function(folder, path, flags, mode);
    int number = failure ? failure : errno;
    if (descriptor >= 0) {
        if (isNew) trace_created(full, 0);
        else if (flags & O_TRUNC) trace_size(descriptor);
    }
    trace_unlock();
    errno = number;
    return descriptor;
}

#define MODE(flags, last)                                                                                             \
    mode_t mode = 0;                                                                                                  \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                                          \
        va_list list;                                                                                                 \
        va_start(list, last);                                                                                         \
        mode = va_arg(list, mode_t);                                                                                  \
        va_end(list);                                                                                                 \
    }

int open(const char *path, int flags, ...) {
    MODE(flags, flags)
    return open_recorded("openat", AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE(flags, flags)
    return open_recorded("openat64", AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
    MODE(flags, flags)
    return open_recorded("openat", folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags, flags)
    return open_recorded("openat64", folder, path, flags, mode);
}

int creat(const char *path, mode_t mode) {
    return open_recorded("openat", AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int creat64(const char *path, mode_t mode) {
    return open_recorded("openat64", AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

// The C library opens these from within.
#define TEMPORARY(name, parameters, arguments)                                                                        \
    int name parameters {                                                                                             \
        trace_lock();                                                                                                 \
        int descriptor = REAL(name) arguments;                                                                        \
        int number = errno;                                                                                           \
        char full[PATH_MAX];                                                                                          \
        if (descriptor >= 0 && trace_path(AT_FDCWD, template, full)) trace_created(full, 0);                          \
        trace_unlock();                                                                                               \
        errno = number;                                                                                               \
        return descriptor;                                                                                            \
    }
TEMPORARY(mkstemp, (char *template), (template))
TEMPORARY(mkstemp64, (char *template), (template))
TEMPORARY(mkostemp, (char *template, int flags), (template, flags))
TEMPORARY(mkostemp64, (char *template, int flags), (template, flags))
TEMPORARY(mkstemps, (char *template, int suffix), (template, suffix))
TEMPORARY(mkostemps, (char *template, int suffix, int flags), (template, suffix, flags))

int mkdirat(int folder, const char *path, mode_t mode) {
    char full[PATH_MAX];
    if (!trace_path(folder, path, full)) return REAL(mkdirat)(folder, path, mode);
    trace_lock();
    int failure = is_new(folder, path) ? trace_failure(FILE_RECORDER_ROOM) : 0;
    int result = failure ? -1 : REAL(mkdirat)(folder, path, mode);
    int number = failure ? failure : errno;
    if (result == 0) trace_created(full, 1);
    trace_unlock();
    errno = number;
    return result;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

static int unlink_recorded(int folder, const char *path, int flags) {
    char full[PATH_MAX];
    if (!trace_path(folder, path, full)) return REAL(unlinkat)(folder, path, flags);
    trace_lock();
    int result = REAL(unlinkat)(folder, path, flags);
    int number = errno;
    if (result == 0) trace_names(FILE_RECORDER_UNLINK, full, "");
    trace_unlock();
    errno = number;
    return result;
}

int unlinkat(int folder, const char *path, int flags) { return unlink_recorded(folder, path, flags); }
int unlink(const char *path) { return unlink_recorded(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlink_recorded(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char *path) {
    return unlink(path) == 0 ? 0 : errno == EISDIR || errno == EPERM ? rmdir(path) : -1;
}

static int rename_recorded(int fromFolder, const char *from, int toFolder, const char *to, unsigned flags) {
    char first[PATH_MAX], second[PATH_MAX];
    int isFirst = trace_path(fromFolder, from, first), isSecond = trace_path(toFolder, to, second);
    if (!isFirst && !isSecond) return REAL(renameat2)(fromFolder, from, toFolder, to, flags);
    trace_lock();
    int result = REAL(renameat2)(fromFolder, from, toFolder, to, flags);
    int number = errno;
    // A rename from elsewhere is recorded as an unlink: the missing file then shows at the end.
    if (result == 0) trace_names(isSecond ? FILE_RECORDER_RENAME : FILE_RECORDER_UNLINK, first, isSecond ? second : "");
    trace_unlock();
    errno = number;
    return result;
}

int rename(const char *from, const char *to) { return rename_recorded(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int fromFolder, const char *from, int toFolder, const char *to) {
    return rename_recorded(fromFolder, from, toFolder, to, 0);
}
int renameat2(int fromFolder, const char *from, int toFolder, const char *to, unsigned flags) {
    return rename_recorded(fromFolder, from, toFolder, to, flags);
}

int linkat(int fromFolder, const char *from, int toFolder, const char *to, int flags) {
    char first[PATH_MAX], second[PATH_MAX];
    if (!trace_path(fromFolder, from, first) || !trace_path(toFolder, to, second)) {
        return REAL(linkat)(fromFolder, from, toFolder, to, flags);
    }
    trace_lock();
    int result = REAL(linkat)(fromFolder, from, toFolder, to, flags);
    int number = errno;
    if (result == 0) trace_names(FILE_RECORDER_LINK, first, second);
    trace_unlock();
    errno = number;
    return result;
}
int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

// MARK: Contents

// Runs a write of `size` bytes at an offset, or at the descriptor's position if that is negative, and records the
// bytes.
static ssize_t write_recorded(int descriptor, const struct iovec *parts, int count, off_t offset) {
    struct trace_file file;
    if (!trace_file_of(descriptor, &file)) {
        return offset < 0 ? REAL(writev)(descriptor, parts, count) : REAL(pwritev)(descriptor, parts, count, offset);
    }
    size_t size = 0;
    for (int part = 0; part < count; part++) size += parts[part].iov_len;
    trace_lock();
    int failure = trace_failure(FILE_RECORDER_ROOM | FILE_RECORDER_WRITES);
    int isLost = 0;
    if (!failure && file.isSynced) {
        failure = trace_failure(FILE_RECORDER_SYNCS);
        isLost = failure != 0;
    }
    ssize_t result = -1;
    int number = failure;
    if (failure && !isLost && size > 512 && trace_takes_cut()) {
        struct iovec first = {parts[0].iov_base, parts[0].iov_len / 2};
        result = offset < 0 ? REAL(writev)(descriptor, &first, 1) : REAL(pwritev)(descriptor, &first, 1, offset);
    } else if (!failure || isLost) {
        result = offset < 0 ? REAL(writev)(descriptor, parts, count)
                            : REAL(pwritev)(descriptor, parts, count, offset);
        if (!isLost) number = errno;
    }
    if (result > 0) {
        off_t start = offset < 0 ? lseek(descriptor, 0, SEEK_CUR) - result : offset;
        trace_written(&file, parts, count, start, result, isLost);
    }
    trace_unlock();
    errno = number;
    return isLost ? -1 : result;
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
    return write_recorded(descriptor, parts, count, offset);
}
ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
    return write_recorded(descriptor, parts, count, offset);
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    return write_recorded(descriptor, parts, count, -1);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
    struct iovec part = {(void *)bytes, size};
    return write_recorded(descriptor, &part, 1, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t size, off64_t offset) {
    struct iovec part = {(void *)bytes, size};
    return write_recorded(descriptor, &part, 1, offset);
}
ssize_t write(int descriptor, const void *bytes, size_t size) {
    struct iovec part = {(void *)bytes, size};
    return write_recorded(descriptor, &part, 1, -1);
}

// Bytes that the kernel copies are read back.
static void read_back(int descriptor, struct trace_file *file, off_t start, ssize_t size) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", descriptor);
    int reader = REAL(open)(path, O_RDONLY | O_CLOEXEC);
    char *bytes = malloc(size);
    if (reader >= 0 && bytes && pread(reader, bytes, size, start) == size) {
        struct iovec part = {bytes, size};
        trace_written(file, &part, 1, start, size, 0);
    }
    free(bytes);
    if (reader >= 0) close(reader);
}

#define COPYING(name, parameters, arguments, out)                                                                     \
    ssize_t name parameters {                                                                                         \
        struct trace_file file;                                                                                       \
        if (!trace_file_of(out, &file)) return REAL(name) arguments;                                                  \
        trace_lock();                                                                                                 \
        int failure = trace_failure(FILE_RECORDER_ROOM | FILE_RECORDER_WRITES);                                       \
        ssize_t result = failure ? -1 : REAL(name) arguments;                                                         \
        int number = failure ? failure : errno;                                                                       \
        if (result > 0) read_back(out, &file, lseek(out, 0, SEEK_CUR) - result, result);                              \
        trace_unlock();                                                                                               \
        errno = number;                                                                                               \
        return result;                                                                                                \
    }
COPYING(sendfile, (int out, int in, off_t *offset, size_t size), (out, in, offset, size), out)
COPYING(sendfile64, (int out, int in, off64_t *offset, size_t size), (out, in, offset, size), out)
COPYING(copy_file_range, (int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags),
        (in, from, out, to, size, flags), out)

// MARK: Sizes

static int truncate_recorded(int descriptor, off_t size) {
    struct trace_file file;
    if (!trace_file_of(descriptor, &file)) return REAL(ftruncate)(descriptor, size);
    trace_lock();
    int failure = size > file.size ? trace_failure(FILE_RECORDER_ROOM) : 0;
    int result = failure ? -1 : REAL(ftruncate)(descriptor, size);
    int number = failure ? failure : errno;
    if (result == 0) trace_size(descriptor);
    trace_unlock();
    errno = number;
    return result;
}
int ftruncate(int descriptor, off_t size) { return truncate_recorded(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return truncate_recorded(descriptor, size); }
int truncate(const char *path, off_t size) {
    int descriptor = REAL(open)(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    int result = truncate_recorded(descriptor, size), number = errno;
    close(descriptor);
    errno = number;
    return result;
}

static int allocate_recorded(int descriptor, int mode, off_t offset, off_t length) {
    struct trace_file file;
    if (!trace_file_of(descriptor, &file)) return (int)REAL(syscall)(SYS_fallocate, descriptor, mode, offset, length);
    trace_lock();
    // Already allocated space takes none.
    int failure = offset + length > file.allocated ? trace_failure(FILE_RECORDER_ROOM) : 0;
    int result = failure ? -1 : (int)REAL(syscall)(SYS_fallocate, descriptor, mode, offset, length);
    int number = failure ? failure : errno;
    if (result == 0) trace_size(descriptor);
    trace_unlock();
    errno = number;
    return result;
}
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
    return allocate_recorded(descriptor, mode, offset, length);
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
    return allocate_recorded(descriptor, mode, offset, length);
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
    return allocate_recorded(descriptor, 0, offset, length) == 0 ? 0 : errno;
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
    return allocate_recorded(descriptor, 0, offset, length) == 0 ? 0 : errno;
}

// The store allocates space by the system call.
long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long arguments[6];
    for (int index = 0; index < 6; index++) arguments[index] = va_arg(list, long);
    va_end(list);
    if (number == SYS_fallocate) {
        return allocate_recorded((int)arguments[0], (int)arguments[1], arguments[2], arguments[3]);
    }
    return REAL(syscall)(
        number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

// Once space has run out, all of these fail.
#define ROOM(name, type, descriptorOrPath)                                                                            \
    int name(descriptorOrPath, struct type *status) {                                                                 \
        int result = REAL(name)(file, status);                                                                        \
        if (result == 0 && trace_is_full()) status->f_bavail = 0;                                                     \
        return result;                                                                                                \
    }
ROOM(statvfs, statvfs, const char *file)
ROOM(statvfs64, statvfs64, const char *file)
ROOM(fstatvfs, statvfs, int file)
ROOM(fstatvfs64, statvfs64, int file)

// MARK: Syncs

// `call` syncs the descriptor.
static int sync_recorded(int descriptor, int (*call)(int)) {
    struct trace_file file;
    if (!trace_file_of(descriptor, &file)) return call(descriptor);
    trace_lock();
    trace_look_at_map(&file);
    uint64_t before = trace_number();
    int failure = trace_failure(FILE_RECORDER_SYNCS);
    if (failure) trace_synced(&file, before, 0);
    trace_unlock();
    if (failure) {
        errno = failure;
        return -1;
    }
    int result = call(descriptor), number = errno;
    trace_lock();
    trace_synced(&file, before, result == 0);
    trace_unlock();
    errno = number;
    return result;
}
int fsync(int descriptor) { return sync_recorded(descriptor, REAL(fsync)); }
int fdatasync(int descriptor) { return sync_recorded(descriptor, REAL(fdatasync)); }

// MARK: Memory

static void *map_recorded(void *at, size_t size, int protection, int flags, int descriptor, off_t offset) {
    void *map = REAL(mmap)(at, size, protection, flags, descriptor, offset);
    struct trace_file file;
    if (map == MAP_FAILED || !(protection & PROT_WRITE) || !(flags & MAP_SHARED) || descriptor < 0) return map;
    int number = errno;
    if (trace_file_of(descriptor, &file)) {
        trace_lock();
        trace_mapped(descriptor, &file, map, size);
        trace_unlock();
    }
    errno = number;
    return map;
}
void *mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset) {
    return map_recorded(at, size, protection, flags, descriptor, offset);
}
void *mmap64(void *at, size_t size, int protection, int flags, int descriptor, off64_t offset) {
    return map_recorded(at, size, protection, flags, descriptor, offset);
}

int msync(void *at, size_t size, int flags) {
    trace_lock();
    struct trace_file file;
    int isOurs = trace_file_at(at, &file);
    uint64_t before = 0;
    int failure = 0;
    if (isOurs) {
        trace_look_at_map(&file);
        before = trace_number();
        failure = flags & MS_SYNC ? trace_failure(FILE_RECORDER_SYNCS) : 0;
        if (failure) trace_synced(&file, before, 0);
    }
    trace_unlock();
    if (failure) {
        errno = failure;
        return -1;
    }
    int result = REAL(msync)(at, size, flags), number = errno;
    if (isOurs && (flags & MS_SYNC)) {
        trace_lock();
        trace_synced(&file, before, result == 0);
        trace_unlock();
    }
    errno = number;
    return result;
}

#else

// Nothing is recorded on other systems.
void file_recorder_mark(const char *text) { (void)text; }

#endif
