#if Hub
    import Crypto
    import Foundation
    import HubCarrier
    import SwiftASN1
    import X509

    /// A certificate authority of the tests: everything is made anew in each run, so that nothing expires.
    struct TestAuthority {
        let root: String
        private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        private let name: DistinguishedName

        init(_ commonName: String = "Authority of the tests") throws {
            name = try DistinguishedName { CommonName(commonName) }
            root = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
                notValidBefore: .now - 3600, notValidAfter: .now + 3600, issuer: name, subject: name,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(keyCertSign: true))
                },
                issuerPrivateKey: key
            ).serializeAsPEM().pemString
        }

        /// A server's certificate for a name of DNS, or without one for 127.0.0.1.
        func issue(
            name: String? = nil, from start: Date = .now - 60, until end: Date = .now + 3600
        ) throws -> HubCertificate {
            let own = Certificate.PrivateKey(P256.Signing.PrivateKey())
            let named: GeneralName =
                name.map { .dnsName($0) } ?? .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1]))
            let certificate = try Certificate(
                version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: own.publicKey,
                notValidBefore: start, notValidAfter: end, issuer: self.name,
                subject: try DistinguishedName { CommonName("Hub of the tests") },
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    SubjectAlternativeNames([named])
                },
                issuerPrivateKey: key)
            return try HubCertificate(
                certificates: certificate.serializeAsPEM().pemString, key: own.serializeAsPEM().pemString)
        }
    }
#endif
