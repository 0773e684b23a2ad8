// The trace: the operations, as records, under one lock of all recorded processes.
#ifndef TRACE_H
#define TRACE_H

#include "FileRecorder.h"
#include <sys/types.h>
#include <sys/uio.h>

// An open file below the folder.
struct trace_file {
    uint64_t device;
    uint64_t inode;
    off_t size;
    // Bytes that the medium has allocated for it.
    off_t allocated;
    int isFolder;
    // Whether the descriptor syncs what it writes.
    int isSynced;
};

// Whether a path is below the folder; `full` is then the path without `.` and `..`. PATH_MAX bytes.
int trace_path(int folder, const char *path, char *full);
// Whether an open file is.
int trace_file_of(int descriptor, struct trace_file *file);

// All below needs the lock, of this process's threads and of other processes.
void trace_lock(void);
void trace_unlock(void);

// The error with which an operation of these kinds is to fail; 0 if it is not to fail.
int trace_failure(int operations);
// Whether a failing write is cut short, which happens once.
int trace_takes_cut(void);
// Whether space has run out; without the lock.
int trace_is_full(void);

void trace_created(const char *path, int isFolder);
void trace_names(int kind, const char *path, const char *other);
void trace_written(struct trace_file *file, const struct iovec *parts, int count, off_t offset, ssize_t size, int isLost);
void trace_size(int descriptor);
// The number of the next record.
uint64_t trace_number(void);
void trace_synced(struct trace_file *file, uint64_t before, int isSynced);

// From now on the file is compared at each look: it is written to through memory.
void trace_mapped(int descriptor, struct trace_file *file, void *map, size_t size);
// Records what was written to a file through memory since the last look.
void trace_look_at_map(struct trace_file *file);
// The file mapped at an address; 0 if unknown.
int trace_file_at(void *at, struct trace_file *file);

#endif
