import Foundation
import TripFormats
import TripStore

/// The pages of a report: style, script and data in one file that loads nothing else.
///
/// The log's content is foreign text. It is in the page only as data, which the script turns into text, never into
/// markup. If that should fail, the policy runs no script and loads nothing except what is named by its hash.
enum ReportPage {
    /// The head of a page.
    struct Head {
        /// The name of the store's folder.
        let name: String
        let journal: String
        let replica: String
        /// The newest position of the log when the report was made.
        let position: UInt64
        let generated: Date
        /// What was left out, in words; empty if nothing was.
        let scope: String

        fileprivate func json(_ part: Part?) -> JSON {
            .object([
                ("name", .string(name)), ("journal", .string(journal)), ("replica", .string(replica)),
                ("position", .integer(position)), ("scope", .string(scope)),
                ("generated", .integer(Int64(generated.timeIntervalSince1970 * 1000))), ("part", part?.json ?? .null),
            ])
        }
    }

    /// The place of a page among those of a report that needs several.
    struct Part {
        /// From 1 on, the newest first.
        let number: Int
        /// The names of the files of the index, and of the pages with newer and older commits.
        let index: String
        let newer: String?
        let older: String?

        fileprivate var json: JSON {
            .object([
                ("number", .integer(number)), ("index", .string(index)), ("newer", .optional(newer)),
                ("older", .optional(older)),
            ])
        }
    }

    /// The start of a page, which identifies a report among other files; a part that of the report which it belongs to.
    static func start(partOf index: String? = nil) -> String {
        let part = index.map { ", part of \(escaped($0))" } ?? ""
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="generator" content="tripstore audit report\(part)">
            """
    }

    static func html(_ head: Head, _ log: ReportLog, _ part: Part? = nil) -> String {
        let title = "Audit of \(head.name)" + (part.map { ", part \($0.number)" } ?? "")
        return html(
            title, start(partOf: part?.index), PageText.reportBody, PageText.reportScript, data(head, log, part))
    }

    static func html(_ head: Head, _ index: ReportIndex) -> String {
        let members =
            [("store", head.json(nil).text(forMarkup: true))] + index.members.map { ($0, $1.text(forMarkup: true)) }
        return html(
            "Audit of \(head.name)", start(), PageText.reportIndexBody, PageText.reportIndexScript, data(members))
    }

    private static func html(
        _ title: String, _ start: String, _ body: String, _ script: String, _ data: String
    ) -> String {
        let style = PageText.reportStyle
        let policy =
            "default-src 'none'; style-src \(PageText.source(style)); script-src \(PageText.source(script)); "
            + "base-uri 'none'; form-action 'none'"
        return """
            \(start)
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>\(escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            \(body)
            <script type="application/json" id="data">\(data)</script>
            <script>\(script)</script>
            </body>
            </html>

            """
    }

    /// The data as JSON that cannot end the element that contains it.
    private static func data(_ head: Head, _ log: ReportLog, _ part: Part?) -> String {
        let replicas = log.tables.replicas.map { replica in
            JSON.array([.string("\(replica.id)"), .integer(replica.device ?? 0)])
        }
        let entities = log.tables.entities.map { entity in
            JSON.array(
                [.integer(entity.kind), .string(entity.reference.id.uuidString), .integer(entity.name ?? 0)]
                    + entity.trips.map { .integer($0) })
        }
        return data([
            ("store", head.json(part).text(forMarkup: true)),
            ("strings", JSON.array(log.tables.strings.map { .string($0) }).text(forMarkup: true)),
            ("replicas", JSON.array(replicas).text(forMarkup: true)),
            ("entities", JSON.array(entities).text(forMarkup: true)),
            ("log", list(log.rows)), ("conflicts", list(log.conflicts)),
        ])
    }

    private static func data(_ members: [(String, String)]) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",\n") + "}"
    }

    /// Directly to text: there may be hundreds of thousands of these.
    private static func list(_ numbers: [Int]) -> String {
        "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }
}
