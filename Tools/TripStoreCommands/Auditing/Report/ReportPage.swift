import Foundation
import TripFormats
import TripStore

/// The page of a report: style, script and data in one file that loads nothing else.
///
/// The log's content is foreign text. It is in the page only as data, which the script turns into text, never into
/// markup. If that should fail, the policy runs no script and loads nothing except what is named by its hash.
enum ReportPage {
    /// The head of the page.
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
    }

    /// The start of every page, which identifies a report among other files.
    static let start = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="generator" content="tripstore audit report">
        """

    static func html(_ head: Head, _ log: ReportLog) -> String {
        let (style, script) = (PageText.reportStyle, PageText.reportScript)
        let policy =
            "default-src 'none'; style-src \(PageText.source(style)); script-src \(PageText.source(script)); "
            + "base-uri 'none'; form-action 'none'"
        return """
            \(start)
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <title>Audit of \(escaped(head.name))</title>
            <style>\(style)</style>
            </head>
            <body>
            \(PageText.reportBody)
            <script type="application/json" id="data">\(data(head, log))</script>
            <script>\(script)</script>
            </body>
            </html>

            """
    }

    /// The data as JSON that cannot end the element that contains it.
    private static func data(_ head: Head, _ log: ReportLog) -> String {
        let store = JSON.object([
            ("name", .string(head.name)), ("journal", .string(head.journal)), ("replica", .string(head.replica)),
            ("position", .integer(head.position)), ("scope", .string(head.scope)),
            ("generated", .integer(Int64(head.generated.timeIntervalSince1970 * 1000))),
        ])
        let replicas = log.tables.replicas.map { replica in
            JSON.array([.string("\(replica.id)"), .integer(replica.device ?? 0)])
        }
        let entities = log.tables.entities.map { entity in
            JSON.array(
                [.integer(entity.kind), .string(entity.reference.id.uuidString), .integer(entity.name ?? 0)]
                    + entity.trips.map { .integer($0) })
        }
        let members = [
            ("store", store.text(forMarkup: true)),
            ("strings", JSON.array(log.tables.strings.map { .string($0) }).text(forMarkup: true)),
            ("replicas", JSON.array(replicas).text(forMarkup: true)),
            ("entities", JSON.array(entities).text(forMarkup: true)),
            ("log", list(log.rows)), ("conflicts", list(log.conflicts)),
        ]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",\n") + "}"
    }

    /// Directly to text: there may be a million of these.
    private static func list(_ numbers: [Int]) -> String {
        "[" + numbers.map { String($0) }.joined(separator: ",") + "]"
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
