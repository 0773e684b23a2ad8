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

tripstore_page_text tripstore_itinerary_style(void);

tripstore_page_text tripstore_report_style(void);
tripstore_page_text tripstore_report_body(void);
// Statements that belong into one function.
tripstore_page_text tripstore_report_script(void);
// Of the index of a report that needs several pages, with the style of these.
tripstore_page_text tripstore_report_index_body(void);
tripstore_page_text tripstore_report_index_script(void);

#endif
