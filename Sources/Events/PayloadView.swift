/// A payload read in place; valid as long as its bytes are.
public struct PayloadView {
    private let bytes: UnsafeRawBufferPointer

    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Calls `body` with every event in order and its index.
    ///
    /// Throws `WireError` at the first that cannot be read; what came before it has been handed out.
    public func forEachEvent(_ body: (EventView, Int) throws(WireError) -> Void) throws(WireError) {
        var reader = WireReader(bytes)
        var index = 0
        while let field = try reader.next() {
            guard field.number == 4 else {
                try reader.skip(field)
                continue
            }
            try body(try EventView(try reader.bytes(field)), index)
            index += 1
        }
    }

    /// Reads everything, copied. Throws `WireError` if any part of it cannot be read.
    public func copy() throws(WireError) -> Payload {
        var payload = Payload()
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: payload.author = try reader.string(field)
            case 2: payload.causation = try reader.uuid(field)
            case 3: payload.correlation = try reader.uuid(field)
            case 4: payload.events.append(try EventView(try reader.bytes(field)).copy())
            case 5: payload.introduction = try Self.introduction(try reader.bytes(field))
            default: try reader.skip(field)
            }
        }
        return payload
    }

    private static func introduction(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Payload.Introduction {
        var publicKey: [UInt8] = []
        var name = ""
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: publicKey = [UInt8](try reader.bytes(field, count: 32))
            case 2: name = try reader.string(field)
            default: try reader.skip(field)
            }
        }
        return Payload.Introduction(publicKey: publicKey, name: name)
    }
}
