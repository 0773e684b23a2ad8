/// The settings by which a database keeps what it has acknowledged from being lost: read when a hub starts.
public struct DatabaseDurability: Sendable, Hashable {
    /// The version of the server: 150012 for 15.12.
    public let serverVersion: Int
    public let fsync: String
    public let fullPageWrites: String
    public let synchronousCommit: String
    /// Empty if no standby is waited for.
    public let synchronousStandbys: String

    init(_ connection: DatabaseConnection) throws {
        func setting(_ name: String) throws -> String {
            try connection.runOnce("SELECT coalesce(current_setting($1::text, true), '')", [.text(name)]).first?.text(0)
                ?? ""
        }
        serverVersion = connection.serverVersion
        fsync = try setting("fsync")
        fullPageWrites = try setting("full_page_writes")
        synchronousCommit = try setting("synchronous_commit")
        synchronousStandbys = try setting("synchronous_standby_names")
    }

    /// Why a hub must not acknowledge anything over it; nil if it may.
    var refusal: DatabaseError? {
        guard serverVersion >= 140_000 else {
            return DatabaseError(
                .unsuitable,
                "The database is of version \(serverVersion / 10_000), and a hub needs PostgreSQL 14 or newer. Upgrade it."
            )
        }
        guard fsync == "off" else { return nil }
        return DatabaseError(
            .unsuitable,
            "The database has fsync turned off: a crash of its machine may destroy all of it, and what devices were told is stored would be gone. Turn it on."
        )
    }

    /// The losses that the settings permit, in sentences for the operator.
    public var warnings: [String] {
        var found: [String] = []
        if fsync == "off" {
            found.append("fsync is off: a crash of the database's machine may destroy everything in it.")
        }
        if fullPageWrites == "off" {
            found.append(
                "full_page_writes is off: unless the file system writes pages as wholes, a crash may damage rows.")
        }
        if synchronousStandbys.isEmpty {
            found.append(
                "synchronous_standby_names is empty: if the primary's disk is lost, or a standby is promoted, the newest commits that were acknowledged may be missing. Devices hold them, and send them again."
            )
        } else if synchronousCommit == "remote_write" {
            found.append(
                "synchronous_commit is remote_write: commits are lost if the primary is lost and the standby's machine crashes at the same time."
            )
        }
        return found
    }

    /// The setting for a hub's own transactions: its server's, unless that acknowledges before the medium has the commit, or before the
    /// standbys have it.
    var neededSynchronousCommit: String { ["off", "local"].contains(synchronousCommit) ? "on" : synchronousCommit }
}
