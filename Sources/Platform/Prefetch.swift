internal import CPlatform

extension UnsafeRawBufferPointer {
    /// Asks for these bytes to come from memory, up to a kilobyte of them, and waits for nothing.
    ///
    /// Who reads on from length to length asks for each line of memory only when the one before has come; asked for at
    /// once, they come at once.
    public func prefetch() {
        guard let baseAddress else { return }
        var offset = 0
        while offset < Swift.min(count, 1024) {
            tripstore_prefetch(baseAddress + offset)
            offset += 64
        }
    }
}
