import Events
import Foundation
import LMDB
import StoreSupport
import TestSupport
import Testing

@testable import EventLog

/// A verifier in Python, written from the description of the format alone.
enum IndependentVerifier {
    static let isHere = Program.succeeds(
        "python3", "-c", "import lmdb, cryptography.hazmat.primitives.asymmetric.ed25519")
    static let hint: Comment =
        "python3 with the packages lmdb and cryptography is not here (pip install lmdb cryptography)"

    struct Verdict {
        let code: Int32
        /// Everything before the last line: findings, and the state if requested.
        let lines: [String]
        let last: String
    }

    static func verify(_ folder: String, _ options: String...) throws -> Verdict {
        let output = try #require(try Program.run("python3", ["-B", SourceFile.verifier] + options + [folder]))
        let lines = output.text.split(separator: "\n").map(String.init)
        let last = try #require(lines.last, "\(output.complaint)")
        return Verdict(code: output.code, lines: lines.dropLast(), last: last)
    }

    static func openLog(_ folder: TemporaryFolder, _ journal: JournalID, seed: UInt64) throws -> Log {
        try Log.open(
            at: folder.path("log"), keyPath: folder.path("replica.key"),
            options: Log.Options(
                journal: journal, environment: Environment.Options(durability: .unsynced, mapSize: 1 << 30),
                dependencies: ManualClock(seed: seed).dependencies))
    }
}
