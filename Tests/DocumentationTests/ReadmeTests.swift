import Foundation
import TestSupport
import Testing

@Suite("README")
struct ReadmeTests {
    private let readme = try? String(contentsOfFile: SourceFile.path("README.md"), encoding: .utf8)

    @Test("The program of the README is compiled and runs, with the imports that it shows")
    func program() async throws {
        try await readmeProgram()
        let source = try String(
            contentsOfFile: SourceFile.path("Tests/DocumentationTests/ReadmeProgram.swift"), encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let begin = try #require(lines.firstIndex { $0.hasSuffix("// begin") })
        let end = try #require(lines.firstIndex { $0.hasSuffix("// end") })
        let imports = lines.filter { $0.hasPrefix("import ") }.joined(separator: "\n")
        let program = lines[(begin + 1)..<end].map { String($0.dropFirst(4)) }.joined(separator: "\n")
        #expect(try #require(readme).contains("```swift\n\(imports)\n\n\(program)\n```"))
    }

    @Test("Every figure of the README stands in the results of the benchmark")
    func figures() throws {
        let results = try String(contentsOfFile: SourceFile.path("Benchmarks/Results.md"), encoding: .utf8)
        let tables = try #require(readme).components(separatedBy: "| work | ours | beside |\n")
        try #require(tables.count == 2)
        let rows = tables[1].split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix { $0 != "" }
        #expect(rows.count == 5)
        for row in rows {
            let figures = row.matches(of: /[\d.]+ (µs|ms|k\/s)/).map { String($0.output.0) }
            #expect(!figures.isEmpty, "\(row)")
            for figure in figures { #expect(results.contains("| \(figure) |"), "\(row): \(figure)") }
        }
    }
}
