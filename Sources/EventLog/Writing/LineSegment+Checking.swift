extension LineSegment {
    /// Checks everything that needs no log: the commits, their chain and payloads, the signature and the erasures. Returns the replica's
    /// public key.
    ///
    /// `publicKey` is that key, unless the segment begins with commit 1, which carries it. Throws `EventLogError.rejected` at the first fault.
    /// O(bytes).
    package func check(publicKey: [UInt8]?) throws -> [UInt8] {
        let verified = try VerifiedSegment(self, publicKey: publicKey)
        try verified.checkPayloads()
        return verified.publicKey
    }
}
