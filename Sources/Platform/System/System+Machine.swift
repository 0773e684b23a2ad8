#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Android
#endif

/// The machine, its randomness, its signals.
extension System {
    /// The id of the time since the machine started; nil where a file has it, or nothing.
    static var bootSession: String? {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #else
            return nil
        #endif
    }

    /// Fills memory from the system's cryptographic random source; returns whether it succeeded.
    package static func fillRandomly(_ bytes: UnsafeMutableRawBufferPointer) -> Bool {
        #if canImport(Darwin)
            guard let start = bytes.baseAddress else { return true }
            arc4random_buf(start, bytes.count)
            return true
        #else
            // The limit of one call.
            return bytes.count <= 256 && getentropy(bytes.baseAddress, bytes.count) == 0
        #endif
    }

    /// Takes away the default action of a signal for which there is a dispatch source. Elsewhere the source has put a handler of its own in its
    /// place.
    package static func ignoreDefault(_ signal: Int32) {
        #if canImport(Darwin)
            _ = Darwin.signal(signal, SIG_IGN)
        #endif
    }
}
