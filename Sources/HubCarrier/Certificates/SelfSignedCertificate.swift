#if Hub
    import Crypto
    public import Foundation
    public import LogExchange
    internal import SwiftASN1
    internal import X509

    /// A new key and a certificate that it signs for itself: for quick starts and for apps that serve. Clients pin
    /// its key.
    public struct SelfSignedCertificate: Sendable {
        /// PEM texts.
        public let certificate: String
        public let key: String

        /// For these host names or addresses. The key is a P-256 key.
        public init(
            for names: [String], from start: Date = .now - 3600, until end: Date = .now + 10 * 365 * 24 * 3600
        ) throws(ExchangeError) {
            do {
                let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
                let name = try DistinguishedName { CommonName(names.first ?? "TripStore hub") }
                let certificate = try Certificate(
                    version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
                    notValidBefore: start, notValidAfter: end, issuer: name, subject: name,
                    extensions: try Certificate.Extensions {
                        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                        Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                        SubjectAlternativeNames(names.map(Self.generalName))
                    },
                    issuerPrivateKey: key)
                self.certificate = try certificate.serializeAsPEM().pemString + "\n"
                self.key = try key.serializeAsPEM().pemString + "\n"
            } catch {
                throw ExchangeError(
                    .unusableCertificate, "A certificate for \(names.joined(separator: ", ")) could not be made.",
                    cause: error)
            }
        }

        /// The name as a certificate holds it: IP addresses as their bytes, all else as a name of DNS.
        static func generalName(_ name: String) -> GeneralName {
            HostAddress(name).map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) } ?? .dnsName(name)
        }
    }
#endif
