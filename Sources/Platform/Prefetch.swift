internal import CPlatform

extension UnsafeRawBufferPointer {
    /// Prefetches these bytes, up to a kilobyte; does not wait.
    ///
    /// A reader that goes from length to length loads each cache line only after the previous one; prefetched, the
    /// loads overlap.
    public func prefetch() {
        guard let baseAddress else { return }
        var offset = 0
        while offset < Swift.min(count, 1024) {
            tripstore_prefetch(baseAddress + offset)
            offset += 64
        }
    }
}
