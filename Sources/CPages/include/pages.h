#ifndef TRIPSTORE_PAGES_H
#define TRIPSTORE_PAGES_H

// Style, script and markup of the HTML pages that this package writes: the files in `Files`, as constants of the program, so that it
// looks for no file when it runs.

#include <stddef.h>

// UTF-8 that stays where it is, unchanged, as long as the program runs. It ends with a line break.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} tripstore_page_text;

// All texts. Scripts are statements that belong into one function.
// - coastline: the world's coast for maps, as `Tools/coastline` writes it.
// - report_head, report_data: the start of the body and of the script of every page of a report.
// - report_index: of a page that lists the pages of a report.
// - inspector: the page of `tripstore inspect`.
#define TRIPSTORE_PAGE_TEXTS(TEXT)                                                                                     \
    TEXT(itinerary_style)                                                                                              \
    TEXT(coastline)                                                                                                    \
    TEXT(report_style)                                                                                                 \
    TEXT(report_head)                                                                                                  \
    TEXT(report_body)                                                                                                  \
    TEXT(report_index_body)                                                                                            \
    TEXT(report_data_script)                                                                                           \
    TEXT(report_script)                                                                                                \
    TEXT(report_index_script)                                                                                          \
    TEXT(inspector_body)                                                                                               \
    TEXT(inspector_style)                                                                                              \
    TEXT(inspector_script)

#define TRIPSTORE_DECLARED(name) tripstore_page_text tripstore_##name(void);
TRIPSTORE_PAGE_TEXTS(TRIPSTORE_DECLARED)
#undef TRIPSTORE_DECLARED

#endif
