import EventLog
import Events
import Foundation
import Platform
import Synchronization

/// How many bytes lie in a folder, and come into it, for a bound.
final class AttachmentRoom: Sendable {
    private struct State {
        var bytes: Int64
        /// What is here or was admitted, which may still be on its way.
        var contents: Set<ContentID>
        let counted: Int64
    }

    private let state = Mutex<State?>(nil)
    /// A bound that seems to be reached is counted again, at most so often: in milliseconds.
    private static let recountTime: Int64 = 60_000

    /// Throws `EventLogError.quotaExceeded` if a content that is not here would be too much. It blocks.
    func admit(_ content: ContentID, to folder: ContentFolder, most: Int64) throws {
        if state.withLock({ $0 == nil }) { try count(folder) }
        if admit(content, most) { return }
        // What was removed meanwhile makes room.
        if state.withLock({ folder.now() - ($0?.counted ?? 0) >= Self.recountTime }) {
            try count(folder)
            if admit(content, most) { return }
        }
        throw EventLogError(
            .quotaExceeded,
            "The \(content.size) bytes of \(content) are not taken in: \(most) bytes of attachments are the most here (quota "
                + "\(EventLogError.Quota.attachmentBytes.rawValue)). Everything else is taken in.",
            quota: .attachmentBytes)
    }

    private func admit(_ content: ContentID, _ most: Int64) -> Bool {
        state.withLock { state in
            guard var held = state, held.contents.insert(content).inserted else { return true }
            held.bytes += content.size
            guard held.bytes <= most else { return false }
            state = held
            return true
        }
    }

    /// O(files).
    private func count(_ folder: ContentFolder) throws {
        let here = Set(try folder.contents().map(\.content))
        var coming: [String: Int64] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.incoming)) ?? [] {
            coming[name] = FileVersion(path: "\(folder.incoming)/\(name)")?.size
        }
        state.withLock { state in
            // What was admitted and is on its way counts as a whole.
            let admitted = (state?.contents ?? []).filter { !here.contains($0) && coming["\($0.root).part"] != nil }
            for content in admitted { coming["\(content.root).part"] = content.size }
            state = State(
                bytes: here.reduce(0) { $0 + $1.size } + coming.values.reduce(0, +), contents: here.union(admitted),
                counted: folder.now())
        }
    }
}
