import Foundation
import TestSupport

/// A page of the documentation, as a code host shows it.
struct Page {
    /// The path of its file, from the package's folder.
    let path: String
    let words: Int
    /// The anchors of its headings.
    let anchors: Set<String>
    /// The targets of its links.
    let links: [String]

    init(_ path: String) throws {
        self.path = path
        let text = try String(contentsOfFile: SourceFile.path(path), encoding: .utf8)
        words = text.split(whereSeparator: \.isWhitespace).count
        var prose: [Substring] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
            } else if !isCode {
                prose.append(line)
            }
        }
        anchors = Set(prose.filter { $0.hasPrefix("#") }.map { Self.anchor($0.drop { $0 == "#" }.dropFirst()) })
        let shown = prose.joined(separator: "\n").replacing(/``[^`]+``|`[^`]+`/, with: "")
        links = shown.matches(of: /\]\(([^()\s]+)\)|<(doc:[^>]*)>/).map { String($0.output.1 ?? $0.output.2 ?? "") }
    }

    /// The anchor that a code host makes of a heading.
    private static func anchor(_ heading: Substring) -> String {
        heading.lowercased().replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    /// The path that a link leads to, from the package's folder, and the anchor there.
    func target(of link: String) -> (path: String, anchor: String?) {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
        let file = parts[0].isEmpty ? "/" + path : folder.appendingPathComponent(parts[0]).standardized.path
        return (String(file.dropFirst()), parts.count > 1 ? parts[1] : nil)
    }
}

extension Page {
    /// The pages for apps: those of the library's catalog, but for the one that says how the package itself is changed.
    static let forApps = pages(under: library).filter { $0 != contributing }
    /// That page, and those of formats and of the tool, in the catalogs of their modules.
    static let ofOthers =
        [contributing]
        + [
            "Sources/EventLog", "Sources/HubDatabase", "Sources/LMDB", "Sources/LogExchange", "Sources/TripFormats",
            "Tools/TripStoreCommands",
        ].flatMap(pages(under:))

    private static let library = "Sources/TripStore/TripStore.docc"
    private static let contributing = library + "/Contributing.md"

    /// The paths of the pages in a folder.
    private static func pages(under folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: SourceFile.path(folder))?.allObjects as? [String] ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { folder + "/" + $0 }
    }
}
