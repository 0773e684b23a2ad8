package import Events

/// By what keys this store knows servers: on this device alone, beside the log.
extension TripStore {
    private static let prefix = "hub/"

    /// The pin that was remembered for a server's address, `https://HOST:PORT`: SHA-256 of the SubjectPublicKeyInfo (DER)
    /// of its certificate. Nil if none was.
    package func pin(ofServer address: String) throws -> Digest? {
        try TripStoreError.wrap {
            try log.note(Self.prefix + address).flatMap { bytes in bytes.withUnsafeBytes { Digest($0) } }
        }
    }

    /// The servers with a remembered pin, by address.
    package func knownServers() throws -> [String: Digest] {
        try TripStoreError.wrap {
            let found = try log.notes(Self.prefix).compactMap { name, bytes in
                bytes.withUnsafeBytes { Digest($0) }.map { (String(name.dropFirst(Self.prefix.count)), $0) }
            }
            return Dictionary(found) { first, _ in first }
        }
    }

    /// Remembers the pin of a server, after a person has compared it; nil forgets it. Throws `TripStoreError.Code.readOnly`.
    package func remember(_ pin: Digest?, ofServer address: String) async throws {
        try await TripStoreError.wrapAsync {
            try await log.worker.run { [log] in try log.setNote(Self.prefix + address, pin?.bytes) }
        }
    }
}
