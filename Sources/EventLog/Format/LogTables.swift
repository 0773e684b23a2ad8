import Events
import LMDB

/// The tables of a log's environment. `LogFormat` in the documentation describes every row.
struct LogTables: Sendable {
    /// Position → hash ‖ commit.
    let log: Table
    /// Journal ‖ replica, of a branch ‖ hash of its first commit → the line's head.
    let heads: Table
    /// Line ‖ sequence → signature.
    let signatures: Table
    /// Line ‖ first sequence of a run → its first position.
    let runs: Table
    /// The log's own state, by name.
    let meta: Table
    /// Hash of a commit ‖ the first half of the erasure's own → the erasure.
    let erasures: Table
    /// Position of a commit that holds, or may hold, statements about members → nothing.
    let members: Table
    /// The current members.
    let membership = MembershipCache()
    /// What is erased now.
    let erasing = ErasingCache()

    static let names = ["log", "heads", "signatures", "runs", "meta", "erasures", "members"]

    init(_ environment: Environment, creating: Bool = true) throws {
        let tables = try environment.tables(Self.names, creating: creating)
        log = tables[0]
        heads = tables[1]
        signatures = tables[2]
        runs = tables[3]
        meta = tables[4]
        erasures = tables[5]
        members = tables[6]
    }
}

/// Rows of the `meta` table.
enum MetaKey {
    /// The version of the format, 4 bytes.
    static let format = Array("format".utf8)
    /// The log's own journal, 16 bytes.
    static let journal = Array("journal".utf8)
    /// This log's replica, 16 bytes.
    static let replica = Array("replica".utf8)
    /// The device's name, UTF-8.
    static let name = Array("name".utf8)
    /// The newest foreign timestamp seen, 8 bytes.
    static let seen = Array("seen".utf8)
    /// The identity of the log's file and of the last opening for writing: see `StoreOrigin`.
    static let place = Array("place".utf8)
    /// The homes at which it was opened for writing: see `StoreHomes`.
    static let homes = Array("homes".utf8)
    /// The replica that wrote here before, 16 bytes, and in UTF-8 why it stopped.
    static let former = Array("former".utf8)
    /// How many transactions changed stored commits, 8 bytes.
    static let rewrites = Array("rewrites".utf8)
    /// Of a founded journal: 16 bytes that change with every new statement about members.
    static let membership = Array("membership".utf8)
    /// 16 bytes that change with every new statement about erasing; zeros if there is none: see `ErasingIndex`.
    static let erasing = Array("erasing".utf8)
    /// The position up to which openings for writing have looked for statements about erasing, 8 bytes.
    static let erasingEnd = Array("erasingEnd".utf8)
    /// The nonce with which this replica founded the journal, 16 bytes, until its first commit holds it.
    static let nonce = Array("nonce".utf8)
    /// The predecessor's signature over this replica's key, 64 bytes, until its first commit holds it.
    static let handover = Array("handover".utf8)
    /// The keys of replicas that this one succeeds and that wrote nothing: see `FormerKeys`.
    static let formerKeys = Array("formerKeys".utf8)
    /// One byte, if the predecessor grants its role rather than handing it over.
    static let granted = Array("granted".utf8)
    /// Of a log that is a copy: how far it is one, in its ledger's own bytes.
    static let ledger = Array("ledger".utf8)
}
