// System calls and macros that only C offers. Functions with static state are in `reads.c`: inlined, each inlined copy
// would have its own.
#include <stdint.h>
#include <string.h>

// Prefetches a cache line; does not wait.
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

// The creation time of a file, in nanoseconds since 1970; 0 if the file system does not record it. Uses the system
// call's number: the C library declares `statx` only under _GNU_SOURCE, which would change the other headers too.
static inline int64_t tripstore_birth_time(const char *path) {
    struct statx status;
    if (syscall(SYS_statx, AT_FDCWD, path, 0, STATX_BTIME, &status) != 0) return 0;
    if (!(status.stx_mask & STATX_BTIME)) return 0;
    return (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec;
}

// The mount's unique id, which the kernel never reuses; 0 where the kernel has none (before Linux 6.8). The older mount
// ids are reused at once.
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

// Major and minor number of the device that a path lies on; 0 if it has none.
static inline int tripstore_device(const char *path, unsigned int *majorNumber, unsigned int *minorNumber) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    *majorNumber = major(status.st_dev);
    *minorNumber = minor(status.st_dev);
    return 1;
}

// Allocates space for a file from its start and leaves its size unchanged; returns 0 or the error number. Uses the
// system call: where the file system cannot allocate, `posix_fallocate` writes to the file, and a writer in another
// process would lose its data.
static inline int tripstore_allocate(int descriptor, int64_t size) {
#ifdef __LP64__
    return syscall(SYS_fallocate, descriptor, FALLOC_FL_KEEP_SIZE, (int64_t)0, size) == 0 ? 0 : errno;
#else
    return EOPNOTSUPP;
#endif
}
#endif

#if defined(__GLIBC__)
#include <malloc.h>

// Gives memory back to the system when it is freed. The C library else keeps what was freed in up to eight heaps a core, and blocks of up
// to 32 MiB in them once some were used.
static inline void tripstore_give_back_memory(void) {
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

// Gives free memory between what is used back as well.
static inline void tripstore_trim_memory(void) { malloc_trim(0); }
#else
static inline void tripstore_give_back_memory(void) {}
static inline void tripstore_trim_memory(void) {}
#endif

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// The attributes of a file. In C, because the compiler may take `struct stat` from different modules in different
// builds when files of one target import different ones. `error` is 0 or the error number.
typedef struct {
    uint64_t device, inode;
    int64_t size;
    // Modification time in nanoseconds since 1970.
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
// Nothing: the system has no call that allocates space and leaves the size of a file as it is to its caller.
static inline int tripstore_allocate(int descriptor, int64_t size) {
    (void)descriptor;
    (void)size;
    return ENOTSUP;
}

static inline int64_t tripstore_birth_time(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    return (int64_t)status.st_birthtimespec.tv_sec * 1000000000 + status.st_birthtimespec.tv_nsec;
}
#endif

// Whether a path leads to this open file.
static inline int tripstore_lies_at(int descriptor, const char *path) {
    struct stat mine, present;
    return fstat(descriptor, &mine) == 0 && stat(path, &present) == 0 && mine.st_ino == present.st_ino &&
           mine.st_dev == present.st_dev;
}

// Gives an open file the permissions of the file at a path and, as root, its owner and group; returns whether it did.
static inline int tripstore_share_like(int descriptor, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return 0;
    int isShared = fchmod(descriptor, status.st_mode & 0777) == 0;
    if (geteuid() == 0) isShared = fchown(descriptor, status.st_uid, status.st_gid) == 0 && isShared;
    return isShared;
}

// Takes a lock of a kind (F_RDLCK, F_WRLCK) on one byte of a file, without waiting; returns 0 or the error number:
// EAGAIN or EACCES if another process has a lock that excludes it. Closing any descriptor of the file drops all of this
// process's.
static inline int tripstore_lock_byte(int descriptor, int64_t offset, short kind) {
    struct flock lock;
    memset(&lock, 0, sizeof(lock));
    lock.l_type = kind;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)offset;
    lock.l_len = 1;
    return fcntl(descriptor, F_SETLK, &lock) == 0 ? 0 : errno;
}

// Whether another process has a lock on a byte of a file; true also where the system cannot say.
static inline int tripstore_is_byte_locked(int descriptor, int64_t offset) {
    struct flock lock;
    memset(&lock, 0, sizeof(lock));
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = (off_t)offset;
    lock.l_len = 1;
    return fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

// Records that a thread begins or ends reading an environment, and returns whether it reads. At most fifteen are
// recorded: no code nests that deep.
int tripstore_is_reading(uintptr_t environment);
void tripstore_begin_reading(uintptr_t environment);
void tripstore_end_reading(uintptr_t environment);
