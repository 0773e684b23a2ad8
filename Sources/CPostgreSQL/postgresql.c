#include "postgresql.h"

#include <dlfcn.h>
#include <string.h>

// Sets a function pointer to a library's function; returns whether there is one. POSIX lets pointers to functions be
// written as pointers to objects.
#define FOUND(member, name) ((*(void **)&library->member = dlsym(handle, name)) != NULL)

int tripstore_load_libpq(const char *name, tripstore_libpq *library) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return 0;
    return FOUND(connect, "PQconnectdbParams") && FOUND(finish, "PQfinish") && FOUND(status, "PQstatus") &&
           FOUND(transaction_status, "PQtransactionStatus") && FOUND(error_message, "PQerrorMessage") &&
           FOUND(server_version, "PQserverVersion") && FOUND(socket, "PQsocket") &&
           FOUND(send_prepare, "PQsendPrepare") && FOUND(send_prepared, "PQsendQueryPrepared") &&
           FOUND(send_query, "PQsendQueryParams") && FOUND(consume_input, "PQconsumeInput") &&
           FOUND(is_busy, "PQisBusy") && FOUND(get_result, "PQgetResult") && FOUND(notifies, "PQnotifies") &&
           FOUND(free_memory, "PQfreemem") && FOUND(result_status, "PQresultStatus") &&
           FOUND(result_field, "PQresultErrorField") && FOUND(row_count, "PQntuples") &&
           FOUND(column_count, "PQnfields") && FOUND(is_null, "PQgetisnull") && FOUND(value, "PQgetvalue") &&
           FOUND(length, "PQgetlength") && FOUND(affected_rows, "PQcmdTuples") && FOUND(clear, "PQclear") &&
           FOUND(set_nonblocking, "PQsetnonblocking") && FOUND(flush, "PQflush") &&
           FOUND(parse_address, "PQconninfoParse") && FOUND(free_options, "PQconninfoFree") &&
           FOUND(set_notice_receiver, "PQsetNoticeReceiver");
}

// Called by libpq on the thread that uses the connection.
static void count_notice(void *argument, const tripstore_pg_result *result) {
    tripstore_pg_notices *notices = argument;
    const char *severity = notices->result_field(result, TRIPSTORE_PG_SEVERITY);
    if (severity && strcmp(severity, "WARNING") == 0) notices->warnings += 1;
}

void tripstore_count_notices(
    const tripstore_libpq *library, tripstore_pg_connection *connection, tripstore_pg_notices *notices) {
    notices->result_field = library->result_field;
    notices->warnings = 0;
    library->set_notice_receiver(connection, count_notice, notices);
}
