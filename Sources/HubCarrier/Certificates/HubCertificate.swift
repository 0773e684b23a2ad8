#if Hub
    import EventLog
    public import Events
    public import Foundation
    public import LogExchange
    internal import NIOCore
    internal import NIOSSL

    internal import struct Crypto.HKDF
    internal import struct Crypto.SHA256
    internal import struct Crypto.SymmetricKey

    /// A server's certificate with its chain, and the private key.
    public struct HubCertificate: Sendable {
        /// SHA-256 of the SubjectPublicKeyInfo (DER): what clients pin. It stays when a certificate is renewed for
        /// the same key.
        public let pin: Digest

        /// 32 bytes that follow from the private key and reveal nothing of it: the secret by which `SessionServer.useTickets` gives
        /// tickets. Hubs with the same key know each other's.
        public let ticketKey: [UInt8]

        let context: NIOSSLContext

        /// From PEM files: the server's certificate, then those that lead to a root; and the key. Throws
        /// `ExchangeError.unusableCertificate`. It reads the files at once and blocks for so long.
        public init(certificateFile: URL, keyFile: URL) throws(ExchangeError) {
            try self.init(
                certificates: Self.read(certificateFile, "certificate"), key: Self.read(keyFile, "key"),
                named: certificateFile.path)
        }

        /// From PEM texts. Throws `ExchangeError.unusableCertificate`.
        public init(certificates: String, key: String) throws(ExchangeError) {
            try self.init(certificates: Array(certificates.utf8), key: Array(key.utf8), named: "the given one")
        }

        private init(certificates: [UInt8], key: [UInt8], named name: String) throws(ExchangeError) {
            do {
                let chain = try NIOSSLCertificate.fromPEMBytes(certificates)
                guard let leaf = chain.first else {
                    throw ExchangeError(.unusableCertificate, "There is no certificate in it.")
                }
                pin = try leaf.spkiDigest()
                let secret = try NIOSSLPrivateKey(bytes: key, format: .pem)
                ticketKey = HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: SymmetricKey(data: try secret.derBytes),
                    info: Array("TripStore session tickets v1".utf8), outputByteCount: 32
                ).withUnsafeBytes { Array($0) }
                var configuration = TLSConfiguration.makeServerConfiguration(
                    certificateChain: chain.map { .certificate($0) },
                    privateKey: .privateKey(secret))
                configuration.minimumTLSVersion = .tlsv13
                configuration.applicationProtocols = ["h2"]
                configuration.shutdownTimeout = .seconds(2)
                context = try NIOSSLContext(configuration: configuration)
            } catch {
                throw ExchangeError(
                    .unusableCertificate,
                    "The certificate (\(name)) and its key cannot be used. Both have to be PEM texts, the key not encrypted and that of "
                        + "the first certificate.",
                    cause: error)
            }
        }

        private static func read(_ file: URL, _ what: String) throws(ExchangeError) -> [UInt8] {
            do {
                return [UInt8](try Data(contentsOf: file))
            } catch {
                throw ExchangeError(
                    .unusableCertificate, "The file of the \(what), \(file.path), cannot be read.", cause: error)
            }
        }
    }
#endif
