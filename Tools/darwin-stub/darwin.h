// The part of Apple's C library that the files of Sources/Platform/System use: types, names and signatures as its headers have them. What is not
// here, they must not use. Never linked: the compiler checks types against it.
#include <stddef.h>
#include <stdint.h>

typedef int32_t pid_t;
typedef uint16_t mode_t;
typedef int64_t off_t;

// sys/mman.h
#define MAP_PRIVATE 0x0002
#define MAP_NORESERVE 0x0040
#define MAP_ANON 0x1000
// sys/fcntl.h
#define F_NOCACHE 48
#define F_FULLFSYNC 51
// sys/errno.h
#define ENOTSUP 45
// sys/mount.h
#define MNT_LOCAL 0x00001000
#define MFSTYPENAMELEN 16

typedef struct {
    int32_t val[2];
} fsid_t;

struct statfs {
    uint32_t f_bsize;
    int32_t f_iosize;
    uint64_t f_blocks, f_bfree, f_bavail, f_files, f_ffree;
    fsid_t f_fsid;
    uint32_t f_owner, f_type, f_flags, f_fssubtype;
    char f_fstypename[MFSTYPENAMELEN];
    char f_mntonname[1024];
    char f_mntfromname[1024];
    uint32_t f_flags_ext;
    uint32_t f_reserved[7];
};

int statfs(const char *, struct statfs *);
int fsync(int);
int sysctlbyname(const char *, void *, size_t *, void *, size_t);
void arc4random_buf(void *, size_t);
