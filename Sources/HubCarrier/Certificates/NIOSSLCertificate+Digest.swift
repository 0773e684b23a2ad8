#if Hub
    import EventLog
    import Events
    internal import NIOSSL

    extension NIOSSLCertificate {
        /// SHA-256 of the SubjectPublicKeyInfo (DER).
        func spkiDigest() throws -> Digest {
            var builder = DigestBuilder()
            builder.add(try extractPublicKey().toSPKIBytes())
            return builder.finish()
        }
    }
#endif
