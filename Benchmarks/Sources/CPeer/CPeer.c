#include "CPeer.h"

#include <lmdb.h>
#include <stdlib.h>

struct cpeer {
    MDB_env *environment;
    MDB_dbi table;
};

int cpeer_open(const char *folder, size_t map_size, cpeer **peer) {
    cpeer *made = calloc(1, sizeof(cpeer));
    if (!made) return MDB_PANIC;
    int code = mdb_env_create(&made->environment);
    if (code) {
        free(made);
        return code;
    }
    MDB_txn *transaction = NULL;
    code = mdb_env_set_mapsize(made->environment, map_size);
    if (!code) code = mdb_env_open(made->environment, folder, MDB_NOTLS, 0600);
    if (!code) code = mdb_txn_begin(made->environment, NULL, 0, &transaction);
    if (!code) code = mdb_dbi_open(transaction, NULL, MDB_INTEGERKEY, &made->table);
    if (!code) {
        code = mdb_txn_commit(transaction);
    } else if (transaction) {
        mdb_txn_abort(transaction);
    }
    if (code) {
        cpeer_close(made);
        return code;
    }
    *peer = made;
    return 0;
}

void cpeer_close(cpeer *peer) {
    if (!peer) return;
    mdb_env_close(peer->environment);
    free(peer);
}

int cpeer_put(cpeer *peer, uint64_t key, const void *bytes, size_t count) {
    uint32_t length = (uint32_t)count;
    return cpeer_append(peer, key, bytes, &length, 1);
}

int cpeer_append(cpeer *peer, uint64_t first_key, const void *bytes, const uint32_t *lengths, size_t count) {
    MDB_txn *transaction;
    int code = mdb_txn_begin(peer->environment, NULL, 0, &transaction);
    if (code) return code;
    const char *next = bytes;
    for (size_t index = 0; index < count; index++) {
        uint64_t number = first_key + index;
        MDB_val key = {sizeof(number), &number};
        MDB_val value = {lengths[index], (void *)next};
        code = mdb_put(transaction, peer->table, &key, &value, MDB_APPEND);
        if (code) {
            mdb_txn_abort(transaction);
            return code;
        }
        next += lengths[index];
    }
    return mdb_txn_commit(transaction);
}

int cpeer_scan(cpeer *peer, uint64_t *count, uint64_t *sum) {
    MDB_txn *transaction;
    int code = mdb_txn_begin(peer->environment, NULL, MDB_RDONLY, &transaction);
    if (code) return code;
    MDB_cursor *cursor;
    code = mdb_cursor_open(transaction, peer->table, &cursor);
    if (code) {
        mdb_txn_abort(transaction);
        return code;
    }
    MDB_val key, value;
    uint64_t found = 0, total = 0;
    for (code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST); !code;
         code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
        const unsigned char *bytes = value.mv_data;
        uint64_t part = 0;
        for (size_t index = 0; index < value.mv_size; index++) part += bytes[index];
        total += part;
        found++;
    }
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    *count = found;
    *sum = total;
    return code == MDB_NOTFOUND ? 0 : code;
}

const char *cpeer_version(void) { return mdb_version(NULL, NULL, NULL); }

const char *cpeer_error(int code) { return mdb_strerror(code); }
