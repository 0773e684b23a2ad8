import EventLog
import Events
import Foundation
import Synchronization

/// Up to which position of this log each peer has the bytes that commits name, and this store those that it wants: later exchanges
/// look at newer commits alone.
///
/// It is remembered in a file for each peer. If one is lost, everything is looked at again.
final class SettledContents: Sendable {
    private let folder: String
    private let policy: AttachmentPolicy
    private let positions = Mutex<[ReplicaID: Position]>([:])

    init(_ folder: String, _ policy: AttachmentPolicy) {
        self.folder = folder
        self.policy = policy
    }

    private func path(_ peer: ReplicaID) -> String { "\(folder)/\(peer)" }

    func position(with peer: ReplicaID, in journal: JournalID) -> Position {
        if let known = positions.withLock({ $0[peer] }) { return known }
        let read = read(peer, journal)
        positions.withLock { $0[peer] = read }
        return read
    }

    private func read(_ peer: ReplicaID, _ journal: JournalID) -> Position {
        guard let text = try? String(contentsOfFile: path(peer), encoding: .utf8) else { return .start }
        let parts = text.split(separator: "\n").map(String.init)
        // Another policy wants other bytes.
        guard parts.count == 3, parts[0] == "\(journal)", parts[2] == "\(policy)", let number = UInt64(parts[1]) else {
            return .start
        }
        return Position(number)
    }

    /// `isLasting` says whether it is worth a file: without attachments it is not.
    func note(_ position: Position, with peer: ReplicaID, in journal: JournalID, isLasting: Bool) {
        positions.withLock { $0[peer] = position }
        guard isLasting else { return }
        // If it is lost, everything is looked at again.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? "\(journal)\n\(position.rawValue)\n\(policy)\n".write(
            toFile: path(peer), atomically: true, encoding: .utf8)
    }
}
