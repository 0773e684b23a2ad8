internal import CPages
import EventLog
import Events
import Foundation

/// The style, script and markup of the pages that this package writes: the files in `Sources/CPages`.
package enum PageText {
    package static let itineraryStyle = text(tripstore_itinerary_style())
    /// The world's coast: see `Coastline`.
    static let coastline = text(tripstore_coastline())
    package static let reportStyle = text(tripstore_report_style())
    /// The markup of a report before its script fills it in.
    package static let reportBody = reportHead + text(tripstore_report_body())
    package static let reportScript = script(tripstore_report_script())
    /// The markup and script of the index of a report that needs several pages.
    package static let reportIndexBody = reportHead + text(tripstore_report_index_body())
    package static let reportIndexScript = script(tripstore_report_index_script())

    /// The page of `tripstore inspect`.
    package static let inspectorBody = text(tripstore_inspector_body())
    package static let inspectorStyle = text(tripstore_inspector_style())
    package static let inspectorScript = "(() => {\n" + text(tripstore_inspector_script()) + "\n})();\n"

    private static let reportHead = text(tripstore_report_head()) + "\n"

    /// Statements, after those that read the data, as a script in which nothing is visible from outside.
    private static func script(_ file: tripstore_page_text) -> String {
        "\"use strict\";\n(() => {\n" + text(tripstore_report_data_script()) + "\n\n" + text(file) + "\n})();"
    }

    /// The source expression by which a page's policy (`Content-Security-Policy`) allows a style or a script.
    package static func source(_ text: String) -> String {
        var builder = DigestBuilder()
        builder.add(Array(text.utf8))
        return "'sha256-\(Data(builder.finish().bytes).base64EncodedString())'"
    }

    /// Copies a text without the line break at its end.
    ///
    /// The pointer is sound: it is that of a constant array of the program, which outlives every use and never changes, and the count is
    /// the array's own size.
    private static func text(_ file: tripstore_page_text) -> String {
        String(decoding: UnsafeBufferPointer(start: file.bytes, count: file.count).dropLast(), as: UTF8.self)
    }
}
