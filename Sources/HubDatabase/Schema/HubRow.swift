import Events
import Foundation

/// The row that all hubs of a database share.
struct HubRow {
    let connection: DatabaseConnection

    /// The epoch, 16 bytes, and the secret from which the journals' keys come, 32 bytes.
    func identity() throws -> (epoch: [UInt8], secret: [UInt8]) {
        guard let row = try connection.run("SELECT epoch, secret FROM tripstore.hub").first else {
            throw DatabaseError(.unsuitable, "The database has lost the row of its hub. Restore it from a backup.")
        }
        return (try row.needed(0), try row.needed(1))
    }

    /// Begins an epoch after one, unless that was done.
    func beginEpoch(after epoch: [UInt8]) throws {
        try connection.run(
            "UPDATE tripstore.hub SET epoch = $1::uuid WHERE epoch = $2::uuid", [.bytes(UUID().bytes), .bytes(epoch)])
    }

    /// Prepares a connection: begins an epoch if it leads to another server than the last one, or to another history of it. Returns
    /// whether it did.
    func noteInstance() throws -> Bool {
        let instance = try DatabaseInstance(connection)
        guard !instance.timeline.isEmpty else { return false }
        return try connection.runOnce(
            """
            UPDATE tripstore.hub SET epoch = $1::uuid, system_id = $2::text, timeline = $3::text
            WHERE system_id <> $2::text OR timeline <> $3::text
            """, [.bytes(UUID().bytes), .text(instance.system), .text(instance.timeline)]
        ).changed > 0
    }

    /// Sets the time-outs of a connection, its isolation, and when its commits are acknowledged: whatever the server, the database or the
    /// user have as their defaults.
    static func configure(_ connection: DatabaseConnection, patience: Duration, synchronousCommit: String) throws {
        // The server gives up before the client does.
        let milliseconds = max(1, patience.components.seconds * 900)
        try connection.runOnce(
            """
            SELECT set_config('statement_timeout', $1::text, false), set_config('lock_timeout', $1::text, false),
                set_config('idle_in_transaction_session_timeout', $1::text, false),
                set_config('synchronous_commit', $2::text, false),
                set_config('default_transaction_isolation', 'read committed', false)
            """, [.text("\(milliseconds)"), .text(synchronousCommit)])
        // Connections of the pool wait for their next use.
        if connection.serverVersion >= 140_000 {
            try connection.runOnce("SELECT set_config('idle_session_timeout', '0', false)")
        }
    }
}
