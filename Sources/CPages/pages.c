#include "pages.h"

// For phones, for screens and for paper. No element has a fixed height, long words wrap anywhere, and items are blocks without grids or
// flexible boxes, which all browsers break across pages at lines. On paper an item stays on one page if it fits on one, and so do a row
// of the overview, which is a grid, and the map.
static const unsigned char itinerary_style[] = {
#embed "Files/itinerary.css"
    ,
#embed "Files/itinerary-overview.css"
};

static const unsigned char coastline[] = {
#embed "Files/coastline.txt"
};

// Colours, type and the frame of the page; then the timeline, the lists, the trips, and the print style. System fonts: nothing is
// fetched.
static const unsigned char report_style[] = {
#embed "Files/report.css"
    ,
#embed "Files/report-lists.css"
};

// The pages before their scripts fill them in. Nothing of the log is in here.
static const unsigned char report_head[] = {
#embed "Files/report-head.html"
};

static const unsigned char report_body[] = {
#embed "Files/report.html"
};

static const unsigned char report_index_body[] = {
#embed "Files/report-index.html"
};

// Reads the data, and makes elements. Text reaches the page only by `append` and `setAttribute`, never as markup.
static const unsigned char report_data_script[] = {
#embed "Files/report-data.js"
};

// An empty line separates the parts, each of which uses the ones before it:
// - filter: filters events. A text is searched once for each distinct string, not once for each event, so that it keeps up with typing.
// - list: commits and events as elements, some dozens at a time.
// - timeline: a row of days for each replica and month: small multiples on one scale.
// - story: the trips, and the history of one of them and of its items.
// - start: the head of the page, the filters, and the handling of the address's fragment.
static const unsigned char report_script[] = {
#embed "Files/report-filter.js"
    , '\n',
#embed "Files/report-list.js"
    , '\n',
#embed "Files/report-timeline.js"
    , '\n',
#embed "Files/report-story.js"
    , '\n',
#embed "Files/report-start.js"
};

static const unsigned char report_index_script[] = {
#embed "Files/report-index.js"
};

static const unsigned char inspector_body[] = {
#embed "Files/inspect.html"
};

// The frame, lists and forms; then what is of commits.
static const unsigned char inspector_style[] = {
#embed "Files/inspect.css"
    ,
#embed "Files/inspect-history.css"
};

// The frame has what all others use: elements, requests, addresses and keys. Each view registers itself, and the last part begins.
static const unsigned char inspector_script[] = {
#embed "Files/inspect-frame.js"
    , '\n',
#embed "Files/inspect-values.js"
    , '\n',
#embed "Files/inspect-list.js"
    , '\n',
#embed "Files/inspect-live.js"
    , '\n',
#embed "Files/inspect-undone.js"
    , '\n',
#embed "Files/inspect-rows.js"
    , '\n',
#embed "Files/inspect-now.js"
    , '\n',
#embed "Files/inspect-fields.js"
    , '\n',
#embed "Files/inspect-beside.js"
    , '\n',
#embed "Files/inspect-trip.js"
    , '\n',
#embed "Files/inspect-item.js"
    , '\n',
#embed "Files/inspect-then.js"
    , '\n',
#embed "Files/inspect-who.js"
    , '\n',
#embed "Files/inspect-commit.js"
    , '\n',
#embed "Files/inspect-conflicts.js"
    , '\n',
#embed "Files/inspect-devices.js"
    , '\n',
#embed "Files/inspect-proof.js"
    , '\n',
#embed "Files/inspect-start.js"
};

#define DEFINED(name)                                                                                                  \
    tripstore_page_text tripstore_##name(void) { return (tripstore_page_text){name, sizeof(name)}; }
TRIPSTORE_PAGE_TEXTS(DEFINED)
