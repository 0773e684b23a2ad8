#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Android
#endif

/// Maps of memory.
extension System {
    /// The flags of a map that takes addresses and nothing else.
    package static var addressesAlone: Int32 {
        #if canImport(Darwin)
            MAP_PRIVATE | MAP_ANON | MAP_NORESERVE
        #else
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        #endif
    }

    /// Takes pages that show a file, and were only read, out of this process's memory; they stay in the system's cache. Does nothing on Apple
    /// platforms, which take such pages by themselves when they need the memory.
    package static func release(_ pages: UnsafeMutableRawPointer?, _ count: Int) {
        #if !canImport(Darwin)
            madvise(pages, count, MADV_DONTNEED)
        #endif
    }
}
