import Events

/// Reads a message that no hash covers: known delimited fields, with one-byte tags and lengths in their shortest form.
struct StrictReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func isNext(_ number: UInt8) -> Bool { offset < bytes.count && bytes[offset] == number << 3 | 2 }

    mutating func field(_ number: UInt8) throws(WireError) -> UnsafeRawBufferPointer {
        guard isNext(number) else {
            throw WireError("there is no field \(number) at byte \(offset), where it belongs")
        }
        var reader = WireReader(bytes.part(from: offset + 1))
        let count = try reader.rawVarint()
        guard reader.offset == wireSize(ofVarint: count) else {
            throw WireError("the length at byte \(offset + 1) has not its shortest form")
        }
        let contents = try reader.counted(count)
        offset += 1 + reader.offset
        return contents
    }
}
