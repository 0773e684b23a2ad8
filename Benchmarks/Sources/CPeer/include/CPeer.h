#ifndef CPEER_H
#define CPEER_H

#include <stddef.h>
#include <stdint.h>

// LMDB as a careful C program uses it: one table with numbers as keys, records appended at its end, every commit
// durable. The caller takes the time. Every call returns 0, or LMDB's or the system's error.

typedef struct cpeer cpeer;

// Opens the environment in an existing folder, with a map of that many bytes.
int cpeer_open(const char *folder, size_t map_size, cpeer **peer);
void cpeer_close(cpeer *peer);

// Appends one record in a transaction of its own.
int cpeer_put(cpeer *peer, uint64_t key, const void *bytes, size_t count);

// Appends records in one transaction: they lie in `bytes` one after the other and have the given lengths.
int cpeer_append(cpeer *peer, uint64_t first_key, const void *bytes, const uint32_t *lengths, size_t count);

// Reads all records and every byte of them; returns the number of records and the sum of the bytes.
int cpeer_scan(cpeer *peer, uint64_t *count, uint64_t *sum);

// LMDB's version, as text.
const char *cpeer_version(void);
// The message of an error.
const char *cpeer_error(int code);

#endif
