#if Hub
    public import Foundation

    /// The address to which a hub posts notices of changes, and the way it posts them.
    public struct WebhookOptions: Sendable {
        /// Why an address or a file cannot be used, in words.
        public struct Unusable: Error, CustomStringConvertible {
            public let description: String
        }

        public let url: URL
        /// The key of the signatures; nil for none.
        public var secret: [UInt8]?
        /// Roots in PEM that are trusted beside the system's.
        public var authorities: String?
        /// How long what changes is gathered before it is posted.
        public var gathering = Duration.seconds(1)
        /// How long a post may take.
        public var timeOut = Duration.seconds(10)
        /// The pause after a failed post, doubled with each up to the longest.
        public var (firstPause, longestPause) = (Duration.seconds(1), Duration.seconds(60))
        /// After how many failures in a row a post is given up.
        public var attempts = 10
        /// The most journals that wait; the notices of others are dropped.
        public var mostWaiting = 10_000
        /// The most journals of a post, and the most replicas that are named for each.
        public var (mostPosted, mostReplicas) = (100, 100)

        /// Throws `Unusable` for anything but https, or http to this machine.
        public init(_ address: String) throws {
            guard let url = URL(string: address), let host = url.host, !host.isEmpty, url.user == nil,
                let scheme = url.scheme?.lowercased(), ["https", "http"].contains(scheme)
            else {
                throw Unusable(description: "'\(address)' is no address of a webhook, as https://push.example/hook.")
            }
            guard scheme == "https" || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) else {
                throw Unusable(description: "'\(address)' is not encrypted: use https, or http to this machine alone.")
            }
            self.url = url
        }

        /// A secret out of a file, without the end of its line. Throws `Unusable` if it is shorter than 16 bytes.
        public static func secret(in text: Data, named name: String) throws -> [UInt8] {
            var bytes = [UInt8](text)
            while let last = bytes.last, [0x0A, 0x0D].contains(last) { bytes.removeLast() }
            guard bytes.count >= 16 else {
                throw Unusable(description: "The secret in \(name) has \(bytes.count) bytes; 16 or more are needed.")
            }
            return bytes
        }
    }
#endif
