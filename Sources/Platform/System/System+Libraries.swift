/// Libraries that are looked up when the program runs.
extension System {
    package static var zlib: [String] {
        #if canImport(Darwin)
            ["/usr/lib/libz.1.dylib"]
        #else
            ["libz.so.1"]
        #endif
    }

    package static var zstd: [String] {
        #if canImport(Darwin)
            // macOS brings none: Homebrew's, on its two kinds of processors, and MacPorts'.
            ["/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"].map { "\($0)/libzstd.1.dylib" }
        #else
            ["libzstd.so.1"]
        #endif
    }

    package static var lmdb: [String] {
        #if canImport(Darwin)
            ["/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"].map { "\($0)/liblmdb.dylib" }
        #else
            ["liblmdb.so.0", "liblmdb.so"]
        #endif
    }

    /// PostgreSQL's client.
    package static var libpq: [String] {
        #if canImport(Darwin)
            ["/opt/homebrew/opt/libpq/lib", "/usr/local/opt/libpq/lib", "/opt/local/lib"].map { "\($0)/libpq.5.dylib" }
        #else
            ["libpq.so.5"]
        #endif
    }
}
