package import Events
package import Foundation

/// Says of a commit that an import wrote it: its causation.
///
/// What a file says, and deletions of what it lacks, have marks of their own. Both name the file by the first 12 bytes of its
/// SHA-256. `LogFormat.md` specifies them: "What an import wrote".
package struct ImportMark: Hashable, Sendable {
    package enum Part: String, Sendable {
        /// What the file says.
        case values = "FILE"
        /// Deletions of what the file lacks.
        case deletions = "MIRR"
        /// Days that follow those of what belongs to the entity, which no file says.
        case days = "DAYS"
    }

    /// The mark of days that follow others.
    static let days = ImportMark(.days, Array(repeating: 0, count: digestSize))

    private static let digestSize = 12

    package let part: Part
    private let file: [UInt8]

    private init(_ part: Part, _ file: [UInt8]) { (self.part, self.file) = (part, file) }

    package init(_ part: Part, of file: Digest) { self.init(part, Array(file.bytes.prefix(Self.digestSize))) }

    /// Nil if it is any other causation.
    package init?(_ causation: UUID?) {
        guard let bytes = causation?.bytes,
            let part = Part(rawValue: String(decoding: bytes.dropLast(Self.digestSize), as: UTF8.self))
        else { return nil }
        self.part = part
        file = Array(bytes.suffix(Self.digestSize))
    }

    package var causation: UUID { (Array(part.rawValue.utf8) + file).withUnsafeBytes { $0.uuid() } }
}

/// What the commits of one run of an import have in common: their correlation.
///
/// It is a UUID of version 8 that begins with the time at which the file was exported, or any other if the file does not say when
/// that was, or the caller names the correlation.
package enum ImportRun {
    /// A correlation that no other run has.
    package static func correlation(exportedAt date: Date?) -> UUID {
        let random = UUID()
        guard let date, let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded(.down)),
            milliseconds > 0, milliseconds < 1 << 48
        else { return random }
        var bytes = Array(milliseconds.bigEndianBytes.suffix(6)) + random.bytes.suffix(10)
        bytes[6] = bytes[6] & 0x0F | 0x80
        return bytes.withUnsafeBytes { $0.uuid() }
    }

    /// When the file of a run was exported; nil if it does not say.
    package static func exportDate(_ correlation: UUID?) -> Date? {
        guard let bytes = correlation?.bytes, bytes[6] >> 4 == 8 else { return nil }
        let milliseconds = bytes.prefix(6).reduce(0 as Int64) { $0 << 8 | Int64($1) }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
}
