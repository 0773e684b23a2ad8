#if Hub
    internal import GRPCNIOTransportCore

    extension GRPCNIOTransportCore.SocketAddress {
        /// The IP address, and its port; nil for other kinds of address.
        var endpoint: (host: String, port: Int)? {
            ipv4.map { ($0.host, $0.port) } ?? ipv6.map { ($0.host, $0.port) }
        }
    }
#endif
