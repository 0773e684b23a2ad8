import Events
import Synchronization

/// What a connection is receiving: one content at a time, which is whole before the next one begins.
final class ContentIntakes: Sendable {
    private let current = Mutex<ContentIntake?>(nil)

    /// Begins or continues; returns the first part that is missing.
    func begin(_ outline: ContentOutline, in folder: ContentFolder) throws -> Int {
        // The lock of the file goes with it.
        current.withLock { $0 = nil }
        let intake = try ContentIntake(outline, in: folder)
        if intake.isComplete {
            try intake.finish()
        } else {
            current.withLock { $0 = intake }
        }
        return intake.next
    }

    /// Stores a part, and makes all of it visible with the last one. A part that is here is skipped.
    func put(_ part: [UInt8], at index: Int, of content: ContentID, in folder: ContentFolder) throws {
        if folder.holds(content) { return }
        if current.withLock({ $0?.outline.content != content }) {
            guard let outline = ContentOutline(short: content) else {
                throw ExchangeError(
                    .malformed, "A part of an attachment was sent, and not the hashes of its parts. Begin with them.")
            }
            guard try begin(outline, in: folder) < content.partCount else { return }
        }
        guard let intake = current.withLock({ $0 }), index >= intake.next else { return }
        guard index == intake.next else {
            throw ExchangeError(
                .malformed,
                "Part \(index) of an attachment was sent, and part \(intake.next) is the next that is missing.")
        }
        try intake.put(part)
        guard intake.isComplete else { return }
        current.withLock { $0 = nil }
        try intake.finish()
    }
}
