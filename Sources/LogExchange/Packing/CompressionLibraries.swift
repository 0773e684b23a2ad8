import CCompression
import Platform

/// The system's libraries of compression, as far as they are there.
///
/// `@unchecked Sendable`: pointers to functions that any number of threads may call at once, on memory of the caller's; the
/// libraries are never unloaded.
struct CompressionLibraries: @unchecked Sendable {
    private let zlib: tripstore_zlib?
    private let zstd: tripstore_zstd?

    /// Found once a process.
    static let system = CompressionLibraries(zlib: System.zlib, zstd: System.zstd)

    /// Takes the first of these files that there is. In tests: no names, no library.
    init(zlib zlibNames: [String], zstd zstdNames: [String]) {
        zlib =
            zlibNames.lazy.compactMap { name in
                var library = tripstore_zlib()
                return tripstore_load_zlib(name, &library) != 0 ? library : nil
            }.first
        zstd =
            zstdNames.lazy.compactMap { name in
                var library = tripstore_zstd()
                return tripstore_load_zstd(name, &library) != 0 ? library : nil
            }.first
    }

    var available: [Compression] {
        (zstd == nil ? [] : [.zstd]) + (zlib == nil ? [] : [.zlib]) + [.none]
    }

    /// The packed bytes; nil if they would not be fewer, or the library is missing.
    func pack(_ bytes: [UInt8], with algorithm: Compression) -> [UInt8]? {
        let bound: Int
        switch algorithm {
        case .none: return nil
        case .zlib: bound = zlib.map { withUnsafePointer(to: $0) { tripstore_zlib_bound($0, bytes.count) } } ?? 0
        case .zstd: bound = zstd.map { withUnsafePointer(to: $0) { tripstore_zstd_bound($0, bytes.count) } } ?? 0
        }
        guard bound > 0 else { return nil }
        let packed = bytes.withUnsafeBytes { source in
            Self.filled(bound) { target in
                switch algorithm {
                case .none: -1
                case .zlib:
                    call(zlib) {
                        tripstore_zlib_pack(
                            $0, target.baseAddress, bound, source.baseAddress, source.count, Compression.zlibLevel)
                    }
                case .zstd:
                    call(zstd) {
                        tripstore_zstd_pack(
                            $0, target.baseAddress, bound, source.baseAddress, source.count, Compression.zstdLevel)
                    }
                }
            }
        }
        guard let packed, packed.count < bytes.count else { return nil }
        return packed
    }

    /// The bytes that were packed; nil if they are not of that size, or the packed ones are not the algorithm's. Takes no more
    /// memory than `size`, of which the system gives only what is written.
    func unpack(_ packed: UnsafeRawBufferPointer, with algorithm: Compression, size: Int) -> [UInt8]? {
        let bytes = Self.filled(size) { target in
            switch algorithm {
            case .none: -1
            case .zlib:
                call(zlib) {
                    tripstore_zlib_unpack($0, target.baseAddress, size, packed.baseAddress, packed.count)
                }
            case .zstd:
                call(zstd) {
                    tripstore_zstd_unpack($0, target.baseAddress, size, packed.baseAddress, packed.count)
                }
            }
        }
        return bytes?.count == size ? bytes : nil
    }

    private func call<Library>(_ library: Library?, _ body: (UnsafePointer<Library>) -> Int64) -> Int64 {
        guard let library else { return -1 }
        return withUnsafePointer(to: library) { body($0) }
    }

    /// As many bytes as `body` wrote; nil if it returns less than none.
    private static func filled(_ room: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int64) -> [UInt8]? {
        var written: Int64 = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            written = body(UnsafeMutableRawBufferPointer(buffer))
            count = min(max(Int(written), 0), room)
        }
        return written < 0 ? nil : bytes
    }
}
