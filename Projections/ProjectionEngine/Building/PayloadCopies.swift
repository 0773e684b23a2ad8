/// Payloads in memory of their own, without what is hidden of them: the log's copies are valid only while it passes them
/// on. Valid as long as this object.
final class PayloadCopies {
    private var owned: [UnsafeMutableRawBufferPointer] = []

    func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
        copy.copyMemory(from: bytes)
        owned.append(copy)
        return UnsafeRawBufferPointer(copy)
    }

    deinit { for bytes in owned { bytes.deallocate() } }
}
