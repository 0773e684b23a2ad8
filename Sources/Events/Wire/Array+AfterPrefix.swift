extension [UInt8] {
    /// The smallest key that is greater than every key with this prefix; nil if there is none.
    public var afterPrefix: [UInt8]? {
        var bytes = self
        while let last = bytes.popLast() {
            if last < 0xFF { return bytes + [last + 1] }
        }
        return nil
    }
}
