import EventLog
import Events
import Foundation
import Platform
import Synchronization

/// How many bytes lie in a folder, and come into it, for a bound.
///
/// The first part of a content that is stored reserves room for all of its bytes: of two that fit one by one and not together, one arrives.
/// A content of which no part came for `ContentFolder.reservingTime` counts with the bytes that are here, and gives them up to one that needs
/// the room.
final class AttachmentRoom: Sendable {
    private struct State {
        var bytes: Int64
        let here: Set<ContentID>
        /// Contents with room for all of their bytes, and when the last part of each came.
        var coming: [ContentID: Int64]
        /// The bytes of the other unfinished files, by their names.
        var unfinished: [String: Int64]
        let counted: Int64

        func bytes(with content: ContentID) -> Int64 {
            if here.contains(content) || coming[content] != nil { return bytes }
            return bytes + content.size - (unfinished[content.incomingName] ?? 0)
        }

        /// Whether a content has room once all other unfinished files without a reservation are gone.
        func mayFit(_ content: ContentID, _ most: Int64) -> Bool {
            let others = unfinished.filter { $0.key != content.incomingName }.values.reduce(0, +)
            return bytes(with: content) - others <= most
        }
    }

    private let state = Mutex<State?>(nil)
    /// A bound that seems to be reached is counted again, at most so often: in milliseconds.
    private static let recountTime: Int64 = 60_000

    /// Throws `EventLogError.quotaExceeded` if a content that is not here would be too much. With `reserving`, a part of it is about to be
    /// stored: its room is kept from then on. It blocks.
    func admit(_ content: ContentID, to folder: ContentFolder, most: Int64, reserving: Bool) throws {
        let now = folder.now()
        if state.withLock({ $0 == nil }) { try count(folder, now) }
        if admits(content, most, now, reserving) { return }
        // Removed files make room.
        if state.withLock({ now - ($0?.counted ?? 0) >= Self.recountTime }) {
            try count(folder, now)
            if admits(content, most, now, reserving) { return }
            if state.withLock({ $0?.mayFit(content, most) == true }) {
                try folder.removeUnfinished(
                    writtenBefore: Date(timeIntervalSince1970: Double(now - ContentFolder.reservingTime) / 1000),
                    except: { $0 == content.incomingName })
                try count(folder, now)
                if admits(content, most, now, reserving) { return }
            }
        }
        throw EventLogError(
            .quotaExceeded,
            "The \(content.size) bytes of \(content) are not taken in: \(most) bytes of attachments are the most here (quota "
                + "\(EventLogError.Quota.attachmentBytes.rawValue)). Everything else is taken in.",
            quota: .attachmentBytes)
    }

    private func admits(_ content: ContentID, _ most: Int64, _ now: Int64, _ reserving: Bool) -> Bool {
        state.withLock { state in
            guard let bytes = state?.bytes(with: content) else { return false }
            // Its room was found before.
            let isComing = state?.coming[content] != nil
            guard isComing || bytes <= most else { return false }
            if reserving {
                state?.bytes = bytes
                state?.unfinished[content.incomingName] = nil
                state?.coming[content] = now
            }
            return true
        }
    }

    /// O(files).
    private func count(_ folder: ContentFolder, _ now: Int64) throws {
        let here = Set(try folder.contents().map(\.content))
        var unfinished: [String: Int64] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.incoming)) ?? [] {
            unfinished[name] = FileVersion(path: "\(folder.incoming)/\(name)")?.size
        }
        state.withLock { state in
            let coming = (state?.coming ?? [:]).filter { content, time in
                !here.contains(content) && unfinished[content.incomingName] != nil
                    && now - time < ContentFolder.reservingTime
            }
            for content in coming.keys { unfinished[content.incomingName] = nil }
            let sizes = here.map(\.size) + coming.keys.map(\.size) + unfinished.values
            state = State(
                bytes: sizes.reduce(0, +), here: here, coming: coming, unfinished: unfinished, counted: now)
        }
    }
}
