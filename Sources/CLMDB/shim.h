#include <lmdb.h>
#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

// Sets room aside for a file from its start; 0, or the number of the error. By the system call, for `posix_fallocate`
// writes to the file where the file system cannot do so, and a writer in another process would lose what it wrote.
static inline int tripstore_allocate(int descriptor, int64_t size) {
#ifdef __LP64__
    return syscall(SYS_fallocate, descriptor, 0, (int64_t)0, size) == 0 ? 0 : errno;
#else
    return EOPNOTSUPP;
#endif
}
#endif
