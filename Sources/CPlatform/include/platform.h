// What the system offers in C alone. Functions that keep something are in `reads.c`: one that is inlined would keep it once
// for each place where it is inlined.
#include <stdint.h>
#include <string.h>

// Asks for a line of memory, and waits for nothing.
static inline void tripstore_prefetch(const void *address) { __builtin_prefetch(address); }

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/stat.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

// When a file was made, in nanoseconds since 1970; 0 if the file system does not say. By the system call's number, for
// the C library declares `statx` only to those who define _GNU_SOURCE, which would change the other headers too.
static inline int64_t tripstore_birth_time(const char *path) {
    struct statx status;
    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_BTIME, &status) != 0) return 0;
    if (!(status.stx_mask & STATX_BTIME)) return 0;
    return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

// The number of the mount on which a path lies: one that the kernel gives once and never again; 0 where it does not say, as
// before Linux 6.8. The older numbers of mounts are given to the next mount at once.
static inline uint64_t tripstore_unique_mount(const char *path) {
    const unsigned int uniqueMount = 0x4000;  // STATX_MNT_ID_UNIQUE
    // The mask comes first, and the number is the field after the two device numbers, at 144: older headers name neither.
    union {
        unsigned char bytes[256];
        uint32_t mask;
    } status;
    uint64_t number;
    memset(&status, 0, sizeof(status));
    if (syscall(SYS_statx, AT_FDCWD, path, 0, uniqueMount, &status) != 0) return 0;
    if (!(status.mask & uniqueMount)) return 0;
    memcpy(&number, status.bytes + 144, sizeof(number));
    return number;
}

// The two numbers of the device on which a path lies; 0 if there is none.
static inline int tripstore_device(const char *path, unsigned int *majorNumber, unsigned int *minorNumber) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    *majorNumber = major(status.st_dev);
    *minorNumber = minor(status.st_dev);
    return 1;
}

// Sets room aside for a file from its start and leaves its size as it is; 0, or the number of the error. By the system call, for `posix_fallocate` writes to the file where the file system cannot do so, and a writer in
// another process would lose what it wrote.
static inline int tripstore_allocate(int descriptor, int64_t size) {
#ifdef __LP64__
    return syscall(SYS_fallocate, descriptor, FALLOC_FL_KEEP_SIZE, (int64_t)0, size) == 0 ? 0 : errno;
#else
    return EOPNOTSUPP;
#endif
}
#endif

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// What there is to know of a file. In C, for which module the compiler takes `struct stat` from differs from build to build
// where files of one target import different ones. `error` is 0, or the number of the error.
typedef struct {
    uint64_t device, inode;
    int64_t size;
    // When it was written to last, in nanoseconds since 1970.
    int64_t modified;
    int error;
} tripstore_status;

static inline tripstore_status tripstore_status_from(const struct stat *status, int number) {
    tripstore_status found = {0, 0, 0, 0, number == 0 ? 0 : errno};
    if (number == 0) {
        found.device = (uint64_t)status->st_dev;
        found.inode = (uint64_t)status->st_ino;
        found.size = (int64_t)status->st_size;
#ifdef __APPLE__
        found.modified = (int64_t)status->st_mtimespec.tv_sec * 1000000000 + status->st_mtimespec.tv_nsec;
#else
        found.modified = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec;
#endif
    }
    return found;
}

static inline tripstore_status tripstore_status_at(const char *path) {
    struct stat status;
    return tripstore_status_from(&status, stat(path, &status));
}

static inline tripstore_status tripstore_status_of(int descriptor) {
    struct stat status;
    return tripstore_status_from(&status, fstat(descriptor, &status));
}

#ifdef __APPLE__
static inline int64_t tripstore_birth_time(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    return (int64_t)status.st_birthtimespec.tv_sec * 1000000000 + status.st_birthtimespec.tv_nsec;
}
#endif

// Whether it is the open file that lies at a path.
static inline int tripstore_lies_at(int descriptor, const char *path) {
    struct stat mine, present;
    return fstat(descriptor, &mine) == 0 && stat(path, &present) == 0 && mine.st_ino == present.st_ino &&
           mine.st_dev == present.st_dev;
}

// Lets those write to an open file who may write to the one at a path, as far as that is permitted; 0 if there is none.
static inline int tripstore_share_like(int descriptor, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    int isShared = fchmod(descriptor, status.st_mode & 0777) == 0;
    if (geteuid() == 0) isShared = fchown(descriptor, status.st_uid, status.st_gid) == 0 && isShared;
    return isShared;
}

// Takes a lock of a kind (F_RDLCK, F_WRLCK) on one byte of a file, without waiting; 0, or the number of the error: EAGAIN or
// EACCES if another process has one that excludes it. Closing any descriptor of the file gives up all of this process's.
static inline int tripstore_lock_byte(int descriptor, int64_t offset, short kind) {
    struct flock lock;
    memset(&lock, 0, sizeof(lock));
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)offset;
    lock.l_len = 1;
    return fcntl(descriptor, F_SETLK, &lock) == 0 ? 0 : errno;
}

// Whether another process has a lock on a byte of a file; also where the system does not tell.
static inline int tripstore_is_byte_locked(int descriptor, int64_t offset) {
    struct flock lock;
    memset(&lock, 0, sizeof(lock));
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)offset;
    lock.l_len = 1;
    return fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

// Notes that a thread reads an environment, or does so no longer, and tells whether it does. Beyond fifteen none is kept:
// nobody nests that many.
int tripstore_is_reading(uintptr_t environment);
void tripstore_begin_reading(uintptr_t environment);
void tripstore_end_reading(uintptr_t environment);
