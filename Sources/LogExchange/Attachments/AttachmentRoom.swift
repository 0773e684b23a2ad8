import EventLog
import Events
import Synchronization

/// How many bytes lie in a folder, for a bound: counted once for a connection, with what the connection adds.
final class AttachmentRoom: Sendable {
    private struct State {
        var bytes: Int64
        var contents: Set<ContentID>
    }

    private let folder: ContentFolder
    private let state = Mutex<State?>(nil)

    init(_ folder: ContentFolder) { self.folder = folder }

    /// Throws `EventLogError.quotaExceeded` if a content that is not here would be too much.
    func admit(_ content: ContentID, most: Int64) async throws {
        if state.withLock({ $0 == nil }) {
            let here = try await folder.worker.run { [folder] in try folder.contents().map(\.content) }
            state.withLock { state in
                state = state ?? State(bytes: here.reduce(0) { $0 + $1.size }, contents: Set(here))
            }
        }
        let isTooMuch = state.withLock { state in
            guard var held = state, held.contents.insert(content).inserted else { return false }
            held.bytes += content.size
            guard held.bytes <= most else { return true }
            state = held
            return false
        }
        guard !isTooMuch else {
            throw EventLogError(
                .quotaExceeded,
                "The \(content.size) bytes of \(content) are not taken in: \(most) bytes of attachments are the most here (quota "
                    + "\(EventLogError.Quota.attachmentBytes.rawValue)). Everything else is taken in.",
                quota: .attachmentBytes)
        }
    }
}
