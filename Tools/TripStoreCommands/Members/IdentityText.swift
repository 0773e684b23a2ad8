import Events
import TripFormats
import TripStore

/// Warnings about the replica as which a store writes.
enum IdentityText {
    /// The warning when a store is opened for writing; nil if there is none.
    static func warning(of store: TripStore) -> String? {
        var sentences: [String] = []
        let change = store.identityChange
        if let change {
            sentences.append(
                "This store writes as replica \(store.replica) from now on and no longer as \(change.previous): "
                    + "\(change.reason).")
        }
        if (try? store.isOutgrown()) == true {
            sentences.append(outgrown(store))
        } else if change != nil, (try? store.standing()) == .waiting(hasAsked: false) {
            sentences.append(
                "It is no member yet: what is written here counts here alone until an admin says 'tripstore grant "
                    + "\(store.replica) write', or invites it ('tripstore invite' there, 'tripstore join CODE' here), and both "
                    + "exchange.")
        }
        if change != nil, let former = try? store.identityChanges().count, former >= StoreDiagnosis.manyIdentities {
            sentences.append(
                "It has had \(former.counted("other")) before: 'tripstore doctor' lists them. Write to one copy of a store alone, and clone "
                    + "it for others.")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }

    private static func outgrown(_ store: TripStore) -> String {
        "Replica \(store.replica) is no member, for too many ids succeed one: what is written here counts here alone until the store of "
            + "another admin exchanges with it, which grants it. Where there is no other admin, adopt what is here into a new store "
            + "('tripstore sync --adopt')."
    }
}
