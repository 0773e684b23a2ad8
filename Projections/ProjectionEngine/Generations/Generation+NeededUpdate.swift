import EventLog
import Events
import LMDB
import Synchronization

/// The commits that this version cannot read, which a generation counts beside its views: any of these may lack what they say.
extension Generation {
    /// The key of the row, in `meta`.
    static let neededUpdateKey = Array("needs".utf8)

    /// The update that is needed to read all commits; nil if this version reads them all.
    func neededUpdate(_ transaction: borrowing ReadTransaction) throws -> NeededUpdate? {
        // Every list that a query returns says it, and mostly there is none.
        let number = transaction.isNumberExact ? transaction.number : nil
        if let number, readableState.load(ordering: .relaxed) == number { return nil }
        guard let row = try transaction.get(Self.neededUpdateKey, in: meta) else {
            if let number { readableState.store(number, ordering: .relaxed) }
            return nil
        }
        do { return try NeededUpdate(row) } catch {
            throw ProjectionError.damaged("the count of commits that need a newer version", error)
        }
    }

    /// Adds the unread commits of a batch. If others count later, or something of them is erased, the views are built again.
    func add(_ unread: NeededUpdate, _ transaction: borrowing WriteTransaction) throws {
        let all = try neededUpdate(transaction.reading)?.adding(unread) ?? unread
        try transaction.put(Self.neededUpdateKey, all.encoded(), in: meta)
    }
}
