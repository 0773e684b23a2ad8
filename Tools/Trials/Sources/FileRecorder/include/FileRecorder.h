// A library to be preloaded (LD_PRELOAD) into a process to record its file operations, on Linux. It records in one
// file, in order, what any process that shares it does to the files below a folder: names, contents, sizes and syncs.
// It can also make an operation fail, and end the process after one.
//
// It is configured by the environment: FILE_RECORDER_ROOT     the folder FILE_RECORDER_TRACE    the file for the
// operations; the starting process creates it, with the size of a header FILE_RECORDER_BOOT_ID  a file that is opened
// in place of /proc/sys/kernel/random/boot_id
#ifndef FILE_RECORDER_H
#define FILE_RECORDER_H

#include <stdint.h>

// The first bytes of a trace, which the recorded processes share as memory: where the next record goes, and its number.
// A process that is killed while it writes a record does not move the end, so that the next one overwrites the part.
struct file_recorder_header {
    uint64_t end;
    uint64_t number;
};
#define FILE_RECORDER_HEADER 4096

enum file_recorder_kind {
    // A new file or, with `b` = 1, a new folder at the path; `a` is its birth time in nanoseconds.
    FILE_RECORDER_CREATE = 1,
    // Bytes at offset `a`.
    FILE_RECORDER_WRITE = 2,
    // The size became `a`.
    FILE_RECORDER_SIZE = 3,
    // The path was renamed to the one in the data.
    FILE_RECORDER_RENAME = 4,
    // The name of a file or an empty folder was removed.
    FILE_RECORDER_UNLINK = 5,
    // Another name of the path's file, in the data.
    FILE_RECORDER_LINK = 6,
    // What was recorded of the file below number `a` is on the medium.
    FILE_RECORDER_SYNC = 7,
    // A sync failed: of what was recorded below number `a` and not synced yet, nothing is certain ever to reach the
    // medium.
    FILE_RECORDER_LOSS = 8,
    // A line that the process wrote, as data.
    FILE_RECORDER_MARK = 9,
};

enum file_recorder_flag {
    // The write was through a descriptor that syncs what it writes.
    FILE_RECORDER_SYNCED = 1,
    // The bytes were written through memory; they are the pages that changed since the last look.
    FILE_RECORDER_MAPPED = 2,
    // The write was one of those that are synced, and failed.
    FILE_RECORDER_LOST = 4,
};

// What a record begins with. The path follows, and then the data, up to `size`.
struct file_recorder_record {
    uint32_t size;
    uint8_t kind;
    uint8_t flags;
    uint16_t path;
    uint64_t number;
    uint64_t inode;
    int64_t a;
    int64_t b;
};

enum file_recorder_operation {
    // Operations that take space: writes, new names, greater sizes.
    FILE_RECORDER_ROOM = 1,
    // Writes of contents.
    FILE_RECORDER_WRITES = 2,
    // Syncs, and writes through descriptors that sync.
    FILE_RECORDER_SYNCS = 4,
};

// These are for the process itself, which finds them by name (`dlsym`).

// Records a line.
void file_recorder_mark(const char *text);
// Kills the process right after that many more operations, of a kind (`file_recorder_kind`) or, with 0, of any.
void file_recorder_die(uint64_t operations, int kind);
// Makes the `nth` operation from now on (1: the next) of these kinds fail with an error number, and, if it lasts, all
// after it. `cut` makes the first failing write end short instead. 0 operations: nothing fails any more.
void file_recorder_fail(int operations, uint64_t nth, int number, int lasts, int cut);
// How many operations of the kinds given last there were since, including failing ones; and how many failed.
uint64_t file_recorder_count(void);
uint64_t file_recorder_failures(void);

#endif
