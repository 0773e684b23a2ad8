import Foundation

extension StoreCheck {
    private static func journal(_ root: String) -> String { root + ".journal" }
    private static func marks(_ root: String) -> String { root + ".marks" }

    /// Writes the expectations beside the folder, for another process.
    func save() throws {
        let lines = expectations.lines.map { "\($0.text)\n" }.joined()
        try Data(lines.utf8).write(to: URL(fileURLWithPath: Self.journal(root)))
        try Data(marks.text.utf8).write(to: URL(fileURLWithPath: Self.marks(root)))
    }

    /// Reads what another process wrote.
    init(savedAt root: String) throws {
        self.root = root
        var expectations = Expectations()
        for line in try String(contentsOfFile: Self.journal(root), encoding: .utf8).split(separator: "\n") {
            if let line = JournalLine(String(line)) { expectations.note(line) }
        }
        self.expectations = expectations
        marks = FileOrigins(text: try String(contentsOfFile: Self.marks(root), encoding: .utf8))
    }

    /// Removes the folder and the files beside it.
    func remove() {
        for path in [root, Self.journal(root), Self.marks(root)] { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Checks, and returns the faults for the requesting process.
    func report() async throws -> String {
        // A hanging check is ended, and counts as a crash.
        alarm(Self.patience)
        defer { alarm(0) }
        return String(decoding: try JSONEncoder().encode(await faults()), as: UTF8.self)
    }

    /// Seconds that a check may take.
    private static let patience: UInt32 = 120
}
