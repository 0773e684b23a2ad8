#if Hub
    import Foundation
    internal import NIOCore

    /// An IP address, written as one.
    struct HostAddress {
        let bytes: [UInt8]

        /// Nil for text that is no address, such as a name.
        init?(_ text: String) {
            guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
            switch address {
            case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
            case .v6(let address): bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            case .unixDomainSocket: return nil
            }
        }

        var isVersion6: Bool { bytes.count == 16 }
    }
#endif
