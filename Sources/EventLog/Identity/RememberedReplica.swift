import Events
import Foundation
import LMDB

/// This machine's record of a replica whose key is here and whose log is gone, or was never finished.
struct RememberedReplica {
    let replica: ReplicaID
    /// The newest commit that it wrote, by journal.
    let newest: [JournalID: SequenceNumber]

    /// The record of a replica; nil if the machine has none.
    init?(_ replica: ReplicaID, _ dependencies: Dependencies) {
        guard let folder = dependencies.machineFolder else { return nil }
        var newest: [JournalID: SequenceNumber] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard name.hasPrefix("\(replica)-"), let journal = JournalID("\(name.dropFirst("\(replica)-".count))"),
                let record = MachineRecord(atPath: "\(folder)/\(name)")
            else { continue }
            newest[journal] = record.newest
        }
        if newest.isEmpty { return nil }
        self.replica = replica
        self.newest = newest
    }

    var hasWritten: Bool { newest.values.contains { $0 > .start } }

    /// Refuses to create a log, or to treat it as empty, where a replica whose key is here is known to have written.
    ///
    /// Throws `EventLogError`: `.logLost`, or `.keyUnusable` if the key cannot be read.
    static func refuseLoss(at path: String, _ keyFile: KeyFile, _ dependencies: Dependencies) throws(EventLogError) {
        guard try !keyFile.isUnreadable() else {
            throw EventLogError(
                .keyUnusable,
                "The log at \(path) is missing or empty, and the replica's key beside it, \(keyFile.path), is damaged: it cannot be "
                    + "told whether anything was written here. Restore the folder from a backup; or remove the key to begin a "
                    + "new store. Nothing was changed.")
        }
        for identity in try keyFile.read() {
            guard let known = RememberedReplica(identity.id, dependencies), known.hasWritten else { continue }
            throw known.loss(at: path)
        }
    }

    private func loss(at path: String) -> EventLogError {
        let counts = newest.filter { $0.value > .start }.sorted { "\($0.key)" < "\($1.key)" }
            .map { "\($0.value) commits to the journal \($0.key)" }.joined(separator: " and ")
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return EventLogError(
            .logLost,
            "The log at \(path) is missing or empty, and it was not: the replica \(replica), whose key is here, is known to "
                + "have written \(counts). Restore \(folder) from a backup; or move it away and clone a replica; or remove it "
                + "to begin a new store without those commits. Nothing was changed.")
    }
}
