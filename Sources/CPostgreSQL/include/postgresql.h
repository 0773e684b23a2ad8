#ifndef TRIPSTORE_POSTGRESQL_H
#define TRIPSTORE_POSTGRESQL_H

// libpq, PostgreSQL's client library, without linking to it: its functions are looked up in the system's library at run time, so that
// a program that uses this package needs it neither to build nor to start. The declarations are those of libpq 5 (PostgreSQL 9.2 and
// later), which later versions have kept.

#include <stddef.h>

typedef struct pg_conn tripstore_pg_connection;
typedef struct pg_result tripstore_pg_result;

typedef struct {
    char *channel;
    int process;
    char *payload;
} tripstore_pg_notification;

typedef struct tripstore_pg_option tripstore_pg_option;
typedef void (*tripstore_pg_notice_receiver)(void *argument, const tripstore_pg_result *);

// Complete or absent. The library stays loaded: nothing here becomes invalid.
typedef struct {
    tripstore_pg_connection *(*connect)(const char *const *keywords, const char *const *values, int expand_name);
    void (*finish)(tripstore_pg_connection *);
    int (*status)(const tripstore_pg_connection *);
    int (*transaction_status)(const tripstore_pg_connection *);
    const char *(*error_message)(const tripstore_pg_connection *);
    int (*server_version)(const tripstore_pg_connection *);
    int (*socket)(const tripstore_pg_connection *);
    int (*send_prepare)(
        tripstore_pg_connection *, const char *name, const char *query, int count, const unsigned *types);
    int (*send_prepared)(
        tripstore_pg_connection *, const char *name, int count, const char *const *values, const int *lengths,
        const int *formats, int result_format);
    int (*send_query)(
        tripstore_pg_connection *, const char *query, int count, const unsigned *types, const char *const *values,
        const int *lengths, const int *formats, int result_format);
    int (*consume_input)(tripstore_pg_connection *);
    int (*is_busy)(tripstore_pg_connection *);
    tripstore_pg_result *(*get_result)(tripstore_pg_connection *);
    tripstore_pg_notification *(*notifies)(tripstore_pg_connection *);
    void (*free_memory)(void *);
    int (*result_status)(const tripstore_pg_result *);
    char *(*result_field)(const tripstore_pg_result *, int field);
    int (*row_count)(const tripstore_pg_result *);
    int (*column_count)(const tripstore_pg_result *);
    int (*is_null)(const tripstore_pg_result *, int row, int column);
    char *(*value)(const tripstore_pg_result *, int row, int column);
    int (*length)(const tripstore_pg_result *, int row, int column);
    char *(*affected_rows)(tripstore_pg_result *);
    void (*clear)(tripstore_pg_result *);
    int (*set_nonblocking)(tripstore_pg_connection *, int is_nonblocking);
    int (*flush)(tripstore_pg_connection *);
    tripstore_pg_option *(*parse_address)(const char *address, char **message);
    void (*free_options)(tripstore_pg_option *);
    tripstore_pg_notice_receiver (*set_notice_receiver)(
        tripstore_pg_connection *, tripstore_pg_notice_receiver, void *argument);
} tripstore_libpq;

// What the functions return, of the header of libpq.
enum {
    TRIPSTORE_PG_CONNECTION_OK = 0,
    TRIPSTORE_PG_COMMAND_OK = 1,
    TRIPSTORE_PG_ROWS_OK = 2,
    TRIPSTORE_PG_IDLE = 0,
    TRIPSTORE_PG_SQLSTATE = 'C',
    TRIPSTORE_PG_MESSAGE = 'M',
    TRIPSTORE_PG_DETAIL = 'D',
    // In English, whatever the server's language is.
    TRIPSTORE_PG_SEVERITY = 'V',
};

// Looks the functions up in a library; returns whether all are there.
int tripstore_load_libpq(const char *name, tripstore_libpq *library);

// What a connection's server sent beside results.
typedef struct {
    char *(*result_field)(const tripstore_pg_result *, int field);
    unsigned long warnings;
} tripstore_pg_notices;

// Counts a connection's warnings from now on, in place of libpq's printing them and other notices on standard error. `notices` must
// stay where it is until the connection is finished.
void tripstore_count_notices(
    const tripstore_libpq *library, tripstore_pg_connection *connection, tripstore_pg_notices *notices);

#endif
