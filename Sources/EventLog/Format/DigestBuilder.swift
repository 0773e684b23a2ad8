public import Events

internal import struct Crypto.SHA256

/// Computes a `Digest` over parts.
public struct DigestBuilder {
    private var hash = SHA256()

    public init() {}

    public mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    public mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { hash.update(bufferPointer: $0) } }

    public func finish() -> Digest {
        // SHA-256 has 32 bytes, so the fallback is never taken.
        hash.finalize().withUnsafeBytes { Digest($0) } ?? .zero
    }
}
