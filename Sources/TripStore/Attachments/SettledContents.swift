import EventLog
import Events
import Foundation
import Synchronization

/// Up to which position of this log each peer has the bytes that commits name, and this store those that it wants: later exchanges
/// look at newer commits alone.
///
/// It is remembered in a file for each peer. If one is lost, everything is looked at again.
final class SettledContents: Sendable {
    /// What a position holds for: where it changes which commits count, so do the contents that are named.
    struct Ground: Equatable {
        fileprivate let journal: JournalID
        fileprivate let rewrites: UInt64

        init(_ log: borrowing LogSnapshot) throws {
            journal = try log.journal()
            rewrites = try log.rewriteCount()
        }
    }

    private struct Settled {
        let ground: Ground
        let position: Position
    }

    private let folder: String
    private let policy: AttachmentPolicy
    private let settled = Mutex<[ReplicaID: Settled]>([:])

    init(_ folder: String, _ policy: AttachmentPolicy) {
        self.folder = folder
        self.policy = policy
    }

    private func path(_ peer: ReplicaID) -> String { "\(folder)/\(peer)" }

    /// Another policy wants other bytes.
    private func head(_ ground: Ground) -> String { "\(ground.journal)\n\(ground.rewrites)\n\(policy)\n" }

    /// Reads the file at the first call for a peer.
    func position(with peer: ReplicaID, _ ground: Ground) -> Position {
        if let known = settled.withLock({ $0[peer] }) { return known.ground == ground ? known.position : .start }
        guard let text = try? String(contentsOfFile: path(peer), encoding: .utf8), text.hasPrefix(head(ground)),
            let number = UInt64(text.dropFirst(head(ground).count).dropLast())
        else { return .start }
        return Position(number)
    }

    /// `ground` is as it was before the names were read. `isLasting` says whether it is worth a file, which blocks: without attachments
    /// it is not.
    func note(_ position: Position, with peer: ReplicaID, _ ground: Ground, isLasting: Bool) {
        settled.withLock { $0[peer] = Settled(ground: ground, position: position) }
        guard isLasting else { return }
        // If it is lost, everything is looked at again.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? "\(head(ground))\(position.rawValue)\n".write(toFile: path(peer), atomically: true, encoding: .utf8)
    }
}
