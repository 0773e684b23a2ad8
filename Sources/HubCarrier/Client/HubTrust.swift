#if Hub
    import EventLog
    public import Events
    internal import NIOSSL

    /// By what a client knows a hub.
    public struct HubTrust: Sendable {
        enum Kind: Sendable {
            case roots
            case authorities(String)
            case pin(Digest)
            /// Any server: to find out its pin, never to speak with it.
            case none
        }

        let kind: Kind

        /// The system's roots, the host's name and the certificate's dates, as browsers do.
        public static let systemRoots = HubTrust(kind: .roots)

        /// Roots of one's own, as a PEM text, in place of the system's. Name and dates count as well.
        public static func authorities(_ certificates: String) -> HubTrust {
            HubTrust(kind: .authorities(certificates))
        }

        /// SHA-256 of the server's SubjectPublicKeyInfo (`HubCertificate.pin`): nothing else counts, neither name
        /// nor dates.
        public static func pinned(_ pin: Digest) -> HubTrust { HubTrust(kind: .pin(pin)) }
    }

    extension NIOSSLCertificate {
        /// SHA-256 of the SubjectPublicKeyInfo (DER).
        func spkiDigest() throws -> Digest {
            var builder = DigestBuilder()
            builder.add(try extractPublicKey().toSPKIBytes())
            return builder.finish()
        }
    }
#endif
