import EventLog

extension TripStore {
    /// Reads what a tool noted about this store, such as what a replica is called here; nil if it noted nothing.
    ///
    /// Notes lie beside the log and are no part of it: replicas do not get them.
    package func note(_ name: String) throws -> [UInt8]? { try TripStoreError.wrap { try log.note(name) } }

    /// Writes such a note, durably. Throws `TripStoreError.Code.readOnly`, or what the medium refuses.
    package func setNote(_ name: String, _ value: [UInt8]) async throws {
        guard !isReadOnly else {
            throw TripStoreError(.readOnly, "The store was opened for reading. Open it for writing to change it.")
        }
        try await TripStoreError.wrapAsync { try await log.worker.run { [log] in try log.setNote(name, value) } }
    }
}
