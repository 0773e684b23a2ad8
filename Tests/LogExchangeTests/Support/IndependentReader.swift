import Foundation
import TestSupport
import Testing

/// The reader of bundles in Python, written from the description of the format alone.
enum IndependentReader {
    static let isHere = Program.succeeds(
        "python3", "-c", "import lmdb, zstandard, cryptography.hazmat.primitives.asymmetric.ed25519")
    static let hint: Comment =
        "python3 with the packages lmdb, cryptography and zstandard is not here (pip install lmdb cryptography zstandard)"

    /// A line for each file.
    static func read(_ files: [URL], _ options: String...) throws -> [String] {
        let script = SourceFile.path("Tests/LogExchangeTests/read_bundle.py")
        let output = try #require(try Program.run("python3", ["-B", script] + options + files.map(\.path)))
        try #require(output.complaint == "", "\(output.complaint)")
        return output.text.split(separator: "\n").map(String.init)
    }
}
