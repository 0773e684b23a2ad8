#define _GNU_SOURCE
#include "FileRecorder.h"

#if defined(__linux__)

#include "Trace.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX];
static size_t rootLength;
static int trace = -1;
static struct file_recorder_header *header;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Operations of a kind, or of any if that is 0, until the process is killed; 0 for never.
static uint64_t lifetime;
static int lifetime_kind;

static struct {
    int operations;
    uint64_t nth;
    int number;
    int lasts;
    int cut;
    uint64_t count;
    uint64_t failures;
} fault;

static void begin(void) {
    const char *folder = getenv("FILE_RECORDER_ROOT"), *path = getenv("FILE_RECORDER_TRACE");
    if (!folder || !path || !realpath(folder, root)) return;
    rootLength = strlen(root);
    int (*openFile)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    int descriptor = openFile(path, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return;
    void *(*map)(void *, size_t, int, int, int, off_t) =
        (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
    void *memory = map(NULL, FILE_RECORDER_HEADER, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (memory == MAP_FAILED) return;
    header = memory;
    trace = descriptor;
}

static int is_on(void) {
    pthread_once(&once, begin);
    return header != NULL;
}

static int is_below(const char *path) {
    return strncmp(path, root, rootLength) == 0 && (path[rootLength] == '/' || path[rootLength] == 0);
}

// Takes `.`, `..` and empty parts out of an absolute path.
static void normalize(const char *path, char *full) {
    size_t length = 0;
    full[0] = 0;
    while (*path) {
        while (*path == '/') path++;
        size_t part = strcspn(path, "/");
        if (part == 0) break;
        if (part == 2 && path[0] == '.' && path[1] == '.') {
            while (length > 0 && full[--length] != '/') {}
            full[length] = 0;
        } else if (!(part == 1 && path[0] == '.') && length + part + 2 < PATH_MAX) {
            full[length++] = '/';
            memcpy(full + length, path, part);
            full[length += part] = 0;
        }
        path += part;
    }
}

int trace_path(int folder, const char *path, char *full) {
    full[0] = 0;
    if (!path || !is_on()) return 0;
    char joined[PATH_MAX * 2];
    if (path[0] == '/') {
        snprintf(joined, sizeof(joined), "%s", path);
    } else {
        char base[PATH_MAX] = "";
        if (folder == AT_FDCWD) {
            if (!getcwd(base, sizeof(base))) return 0;
        } else {
            char link[64];
            snprintf(link, sizeof(link), "/proc/self/fd/%d", folder);
            ssize_t length = readlink(link, base, sizeof(base) - 1);
            if (length < 0) return 0;
            base[length] = 0;
        }
        snprintf(joined, sizeof(joined), "%s/%s", base, path);
    }
    normalize(joined, full);
    return is_below(full);
}

int trace_file_of(int descriptor, struct trace_file *file) {
    if (descriptor < 0 || descriptor == trace || !is_on()) return 0;
    int number = errno;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof(path) - 1);
    struct stat status;
    int isOurs = 0;
    if (length > 0) {
        path[length] = 0;
        isOurs = is_below(path) && fstat(descriptor, &status) == 0;
    }
    if (isOurs) {
        int flags = fcntl(descriptor, F_GETFL);
        *file = (struct trace_file){
            .device = status.st_dev, .inode = status.st_ino, .size = status.st_size,
            .allocated = (off_t)status.st_blocks * 512, .isFolder = S_ISDIR(status.st_mode),
            .isSynced = flags >= 0 && (flags & O_DSYNC)};
    }
    errno = number;
    return isOurs;
}

void trace_lock(void) {
    int number = errno;
    pthread_mutex_lock(&mutex);
    if (is_on()) while (flock(trace, LOCK_EX) != 0 && errno == EINTR) {}
    errno = number;
}

void trace_unlock(void) {
    int number = errno;
    if (is_on()) flock(trace, LOCK_UN);
    pthread_mutex_unlock(&mutex);
    errno = number;
}

uint64_t trace_number(void) { return header ? header->number : 0; }

// Writes all of it; a failure ends the process, because a trace with gaps proves nothing.
static void put(const void *bytes, size_t size, uint64_t offset) {
    static ssize_t (*write)(int, const void *, size_t, off_t);
    if (!write) write = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");
    while (size > 0) {
        ssize_t count = write(trace, bytes, size, offset);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) {
            fprintf(stderr, "file recorder: the trace cannot be written\n");
            abort();
        }
        bytes = (const char *)bytes + count;
        size -= count;
        offset += count;
    }
}

static void append(
    int kind, int flags, uint64_t inode, int64_t a, int64_t b, const char *path, const struct iovec *parts, int count,
    size_t size) {
    if (!header) return;
    size_t pathLength = strlen(path);
    struct file_recorder_record record = {
        .size = (uint32_t)(sizeof(record) + pathLength + size), .kind = kind, .flags = flags,
        .path = (uint16_t)pathLength, .number = header->number, .inode = inode, .a = a, .b = b};
    uint64_t end = header->end ? header->end : FILE_RECORDER_HEADER;
    put(&record, sizeof(record), end);
    put(path, pathLength, end + sizeof(record));
    end += sizeof(record) + pathLength;
    for (int part = 0; part < count && size > 0; part++) {
        size_t length = parts[part].iov_len < size ? parts[part].iov_len : size;
        put(parts[part].iov_base, length, end);
        end += length;
        size -= length;
    }
    header->end = end;
    header->number += 1;
    if (lifetime > 0 && (!lifetime_kind || lifetime_kind == kind) && --lifetime == 0) kill(getpid(), SIGKILL);
}

void trace_created(const char *path, int isFolder) {
    struct statx status;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_INO | STATX_BTIME, &status) != 0) return;
    int64_t birth = status.stx_mask & STATX_BTIME
        ? (int64_t)status.stx_btime.tv_sec * 1000000000 + status.stx_btime.tv_nsec : 0;
    append(FILE_RECORDER_CREATE, 0, status.stx_ino, birth, isFolder, path, NULL, 0, 0);
}

void trace_names(int kind, const char *path, const char *other) {
    struct iovec part = {(void *)other, strlen(other)};
    append(kind, 0, 0, 0, 0, path, &part, 1, part.iov_len);
}

void trace_written(
    struct trace_file *file, const struct iovec *parts, int count, off_t offset, ssize_t size, int isLost) {
    int flags = isLost ? FILE_RECORDER_LOST : file->isSynced ? FILE_RECORDER_SYNCED : 0;
    append(FILE_RECORDER_WRITE, flags, file->inode, offset, 0, "", parts, count, size);
}

void trace_size(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return;
    append(FILE_RECORDER_SIZE, 0, status.st_ino, status.st_size, 0, "", NULL, 0, 0);
}

void trace_synced(struct trace_file *file, uint64_t before, int isSynced) {
    append(isSynced ? FILE_RECORDER_SYNC : FILE_RECORDER_LOSS, 0, file->inode, before, 0, "", NULL, 0, 0);
}

// MARK: Memory

#define PAGE 4096
#define MAPS 256

// A file that is written to through memory, and its content at the last look. The descriptor is never closed: closing
// any descriptor of a file drops the locks that the process has on it.
static struct {
    struct trace_file file;
    int descriptor;
    char *address;
    size_t length;
    char *seen;
    off_t size;
} maps[MAPS];
static int mapCount;

static void look(int map) {
    struct stat status;
    if (fstat(maps[map].descriptor, &status) != 0 || status.st_nlink == 0 || status.st_size == 0) return;
    size_t size = status.st_size;
    char *now = malloc(size);
    if (!now) return;
    ssize_t count = pread(maps[map].descriptor, now, size, 0);
    off_t start = -1;
    for (off_t offset = 0; offset <= count; offset += PAGE) {
        size_t length = offset + PAGE <= count ? PAGE : count - offset;
        int isSame = length == 0
            || (offset + (off_t)length <= maps[map].size && memcmp(now + offset, maps[map].seen + offset, length) == 0);
        if (!isSame && start < 0) start = offset;
        if (isSame && start >= 0) {
            struct iovec part = {now + start, offset - start};
            append(FILE_RECORDER_WRITE, FILE_RECORDER_MAPPED, maps[map].file.inode, start, 0, "", &part, 1, part.iov_len);
            start = -1;
        }
        if (length < PAGE) {
            if (start >= 0) {
                struct iovec part = {now + start, count - start};
                append(FILE_RECORDER_WRITE, FILE_RECORDER_MAPPED, maps[map].file.inode, start, 0, "", &part, 1,
                       part.iov_len);
            }
            break;
        }
    }
    free(maps[map].seen);
    maps[map].seen = now;
    maps[map].size = count;
}

void trace_mapped(int descriptor, struct trace_file *file, void *map, size_t length) {
    for (int index = 0; index < mapCount; index++) {
        if (maps[index].file.device != file->device || maps[index].file.inode != file->inode) continue;
        struct stat status;
        // The inode may belong to another file by now.
        if (fstat(maps[index].descriptor, &status) != 0 || status.st_nlink == 0) continue;
        maps[index].address = map;
        maps[index].length = length;
        return look(index);
    }
    if (mapCount == MAPS) return;
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 200);
    if (copy < 0) return;
    maps[mapCount].file = *file;
    maps[mapCount].descriptor = copy;
    maps[mapCount].address = map;
    maps[mapCount].length = length;
    look(mapCount++);
}

void trace_look_at_map(struct trace_file *file) {
    for (int index = 0; index < mapCount; index++) {
        if (maps[index].file.device == file->device && maps[index].file.inode == file->inode) look(index);
    }
}

int trace_file_at(void *at, struct trace_file *file) {
    for (int index = 0; index < mapCount; index++) {
        if ((char *)at < maps[index].address || (char *)at >= maps[index].address + maps[index].length) continue;
        *file = maps[index].file;
        return 1;
    }
    return 0;
}

// MARK: The process's own calls

__attribute__((visibility("default"))) void file_recorder_mark(const char *text) {
    trace_lock();
    for (int index = 0; index < mapCount; index++) look(index);
    struct iovec part = {(void *)text, strlen(text)};
    append(FILE_RECORDER_MARK, 0, 0, 0, 0, "", &part, 1, part.iov_len);
    trace_unlock();
}

__attribute__((visibility("default"))) void file_recorder_die(uint64_t operations, int kind) {
    trace_lock();
    lifetime = operations;
    lifetime_kind = kind;
    trace_unlock();
}

__attribute__((visibility("default"))) void file_recorder_fail(
    int operations, uint64_t nth, int number, int lasts, int cut) {
    trace_lock();
    fault.operations = operations;
    fault.nth = nth;
    fault.number = number;
    fault.lasts = lasts;
    fault.cut = cut;
    fault.count = 0;
    fault.failures = 0;
    trace_unlock();
}

__attribute__((visibility("default"))) uint64_t file_recorder_count(void) { return fault.count; }
__attribute__((visibility("default"))) uint64_t file_recorder_failures(void) { return fault.failures; }

int trace_failure(int operations) {
    if (!(fault.operations & operations) || !header) return 0;
    fault.count += 1;
    if (fault.number == 0 || fault.count < fault.nth || (fault.count > fault.nth && !fault.lasts)) return 0;
    fault.failures += 1;
    return fault.number;
}

int trace_takes_cut(void) {
    int takes = fault.cut;
    fault.cut = 0;
    return takes;
}

int trace_is_full(void) {
    return fault.number == ENOSPC && fault.lasts && fault.count >= fault.nth && fault.operations != 0;
}

#endif
