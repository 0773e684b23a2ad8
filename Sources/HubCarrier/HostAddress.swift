#if Hub
    import Foundation
    internal import GRPCNIOTransportCore

    /// An IP address, written as one.
    struct HostAddress {
        let bytes: [UInt8]

        /// Nil for text that is no address, such as a name.
        init?(_ text: String) {
            for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
                var bytes = [UInt8](repeating: 0, count: size)
                guard inet_pton(family, text, &bytes) == 1 else { continue }
                self.bytes = bytes
                return
            }
            return nil
        }

        var isVersion6: Bool { bytes.count == 16 }
    }

    extension GRPCNIOTransportCore.SocketAddress {
        /// The IP address, and its port; nil for other kinds of address.
        var endpoint: (host: String, port: Int)? {
            ipv4.map { ($0.host, $0.port) } ?? ipv6.map { ($0.host, $0.port) }
        }
    }
#endif
