import Foundation
import TestSupport
import Testing

@Suite("Comments on public declarations")
struct PublicCommentTests {
    /// Words after which a reader of one comment alone does not know what it is about.
    private static let openings = [
        "The same", "Of", "Those", "What", "Where", "Whose", "Who", "As",
    ]

    @Test(
        "Each comment on a public declaration begins with what it is about",
        arguments: ["Sources", "Projections", "Tools/TripStoreCommands", "Tools/NetworkCommands"])
    func openings(folder: String) throws {
        let root = SourceFile.path(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }.sorted()
        #expect(names.count > 3)
        for name in names {
            let text = try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8)
            for comment in Self.publicComments(of: text) {
                let opening = Self.openings.first { comment.hasPrefix($0 + " ") }
                #expect(opening == nil, "\(folder)/\(name): \(comment)")
            }
        }
    }

    /// The first lines of the comments that stand before public declarations.
    private static func publicComments(of text: String) -> [String] {
        var comments: [String] = []
        var first: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("///") {
                first = first ?? line.dropFirst(3).trimmingCharacters(in: .whitespaces)
            } else if !line.hasPrefix("@") {
                if let first, line.hasPrefix("public ") { comments.append(first) }
                first = nil
            }
        }
        return comments
    }
}
