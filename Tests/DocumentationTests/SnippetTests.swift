import Foundation
import Testing

/// The Swift in the pages of the documentation is compiled and run here, in the files beside this one: each section
/// between `// begin NAME` and `// end` is a block of some page, word for word but for the indentation. So are those of the samples, which
/// their own tests build and run.
@Suite("Documentation")
struct SnippetTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let catalog = root.appendingPathComponent("Sources/TripStore/TripStore.docc")

    private static func files(_ folder: URL, _ suffixes: [String]) -> [URL] {
        let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (found?.allObjects as? [URL] ?? []).filter { suffixes.contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// What is compiled here and in the samples, by name.
    private static func snippets() throws -> [String: String] {
        var found: [String: String] = [:]
        let folders = ["Tests/DocumentationTests", "Tools/samples"].map { root.appendingPathComponent($0) }
        for file in folders.flatMap({ files($0, ["swift"]) })
        where file.lastPathComponent != "SnippetTests.swift" {
            var name: String?
            var body: [String] = []
            for line in try lines(file) {
                let text = line.trimmingCharacters(in: .whitespaces)
                if text.hasPrefix("// begin ") {
                    try #require(name == nil, "\(file.lastPathComponent): '\(text)' comes before an end")
                    name = String(text.dropFirst(9))
                    body = []
                } else if text == "// end", let open = name {
                    try #require(found[open] == nil, "two snippets are named \(open)")
                    found[open] = dedented(body)
                    name = nil
                } else {
                    body.append(line)
                }
            }
            try #require(name == nil, "\(file.lastPathComponent): \(name ?? "") has no end")
        }
        return found
    }

    private static func dedented(_ lines: [String]) -> String {
        let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
    }

    /// The blocks of a page that are marked as Swift, without their imports.
    private static func blocks(_ file: URL) throws -> [String] {
        var found: [String] = []
        var body: [String]?
        for line in try lines(file) {
            if let open = body {
                if line == "```" {
                    found.append(withoutImports(open))
                    body = nil
                } else {
                    body = open + [line]
                }
            } else if line.hasPrefix("```"), line != "```" {
                #expect(["```swift", "```text", "```sh"].contains(line), "\(file.lastPathComponent): \(line)")
                body = []
                if line != "```swift" { body = nil }
            }
        }
        return found
    }

    private static func withoutImports(_ lines: [String]) -> String {
        let rest = lines.drop { $0.hasPrefix("import ") }
        return (rest.count < lines.count ? rest.drop { $0.isEmpty } : rest).joined(separator: "\n")
    }

    @Test("Every block of Swift in the pages is one of the snippets, which compile and run")
    func pages() throws {
        let snippets = Set(try Self.snippets().values)
        let pages = Self.files(Self.catalog, ["md", "tutorial"])
        #expect(pages.count > 10)
        for page in pages + [Self.root.appendingPathComponent("README.md")] {
            // README's program and manifest have tests of their own: `ReadmeTests`, `FreshPackageTests`.
            for block in try Self.blocks(page)
            where !block.hasPrefix("let store = try await TripStore.temporary()  //")
                && !block.hasPrefix("// swift-tools-version")
            {
                #expect(
                    snippets.contains(block), "\(page.lastPathComponent) has a block that no test compiles:\n\(block)")
            }
        }
    }

    @Test("Every step of the tutorial is one of the snippets")
    func steps() throws {
        let snippets = Set(try Self.snippets().values)
        let steps = Self.files(Self.catalog.appendingPathComponent("Tutorials/Resources"), ["swift"])
        #expect(!steps.isEmpty)
        for step in steps {
            var lines = try Self.lines(step)
            if lines.last == "" { lines.removeLast() }
            #expect(snippets.contains(Self.withoutImports(lines)), "no test compiles \(step.lastPathComponent)")
        }
    }

    @Test("Every snippet is in some page or step, and the tutorial names every step that there is")
    func nothingLeftOver() throws {
        let pages = Self.files(Self.catalog, ["md", "tutorial"]) + [Self.root.appendingPathComponent("README.md")]
        let blocks = try Set(pages.flatMap { try Self.blocks($0) })
        let files = Self.files(Self.catalog.appendingPathComponent("Tutorials/Resources"), ["swift"])
        let steps = try Set(
            files.map { file in
                let lines = try Self.lines(file)
                return Self.withoutImports(lines.last == "" ? lines.dropLast() : lines)
            })
        for (name, text) in try Self.snippets() {
            #expect(blocks.contains(text) || steps.contains(text), "\(name) is in no page")
        }
        let tutorial = try String(
            contentsOf: Self.catalog.appendingPathComponent("Tutorials/LiveList.tutorial"), encoding: .utf8)
        for file in files { #expect(tutorial.contains("file: \"\(file.lastPathComponent)\""), "\(file.path)") }
    }
}
