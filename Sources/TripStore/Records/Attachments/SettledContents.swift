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

    /// Up to which position all is settled but the commits at some positions, which name bytes that are missing somewhere.
    struct Mark: Equatable {
        var position = Position.start
        var open: [Position] = []
    }

    private struct Settled {
        let ground: Ground
        let mark: Mark
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
    func mark(with peer: ReplicaID, _ ground: Ground) -> Mark {
        if let known = settled.withLock({ $0[peer] }) { return known.ground == ground ? known.mark : Mark() }
        guard let text = try? String(contentsOfFile: path(peer), encoding: .utf8), text.hasPrefix(head(ground)),
            text.hasSuffix("\n")
        else { return Mark() }
        let numbers = text.dropFirst(head(ground).count).split(separator: "\n").map { UInt64($0) }
        guard let first = numbers.first ?? nil, !numbers.contains(nil) else { return Mark() }
        let open = Set(numbers.dropFirst().compactMap { $0.map { Position($0) } })
        return Mark(position: Position(first), open: open.sorted())
    }

    /// Looks at some commits again with every peer: the bytes that they name were here, and are not any more. It blocks.
    func reopen(_ positions: [Position]) {
        guard !positions.isEmpty else { return }
        let added = positions.map { "\($0.rawValue)\n" }.joined()
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let text = try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8) else { continue }
            try? (text + added).write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        // They are read from their files again.
        settled.withLock { $0 = [:] }
    }

    /// `ground` is as it was before the names were read. `isLasting` says whether it is worth a file, which blocks: without attachments
    /// it is not.
    func note(_ mark: Mark, with peer: ReplicaID, _ ground: Ground, isLasting: Bool) {
        settled.withLock { $0[peer] = Settled(ground: ground, mark: mark) }
        guard isLasting else { return }
        let lines = ([mark.position] + mark.open).map { "\($0.rawValue)\n" }.joined()
        // If it is lost, everything is looked at again.
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try? "\(head(ground))\(lines)".write(toFile: path(peer), atomically: true, encoding: .utf8)
    }
}
