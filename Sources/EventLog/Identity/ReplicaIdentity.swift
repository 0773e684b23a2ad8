internal import Crypto
public import Events
import Foundation

/// A replica's key pair. The private half never leaves its file beside the log.
public struct ReplicaIdentity: Sendable {
    private let key: Curve25519.Signing.PrivateKey
    public let id: ReplicaID

    private init(_ key: Curve25519.Signing.PrivateKey) {
        self.key = key
        self.id = ReplicaID(publicKey: [UInt8](key.publicKey.rawRepresentation))
    }

    /// From the 32 bytes of a private key; nil if they are invalid.
    public init?(seed: [UInt8]) {
        guard let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) else { return nil }
        self.init(key)
    }

    /// A new one, from the system's randomness.
    public static func generate() -> ReplicaIdentity { ReplicaIdentity(Curve25519.Signing.PrivateKey()) }

    /// A new one, from the log's source of keys.
    static func generate(_ dependencies: Dependencies) -> ReplicaIdentity {
        dependencies.newKey().flatMap { ReplicaIdentity(seed: $0) } ?? generate()
    }

    public var publicKey: [UInt8] { [UInt8](key.publicKey.rawRepresentation) }

    var seed: [UInt8] { [UInt8](key.rawRepresentation) }

    /// Signs a head of this replica's line; 64 bytes.
    package func sign(_ message: [UInt8]) throws -> [UInt8] { [UInt8](try key.signature(for: Data(message))) }
}
