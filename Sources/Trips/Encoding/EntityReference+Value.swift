package import Events

/// An entity as the value of a field: its kind (2 bytes, most significant first), then its id (16). So code that does
/// not know the schema can follow it.
extension EntityReference {
    /// Bytes of such a value.
    package static let valueSize = 18

    package var fieldValue: [UInt8] { kind.rawValue.bigEndianBytes + id.bytes }

    /// The entity in a value; nil if there is none.
    package init?(fieldValue bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.valueSize else { return nil }
        self.init(kind: EntityKind(rawValue: bytes.bigEndian(UInt16.self)), id: bytes.uuid(at: 2))
    }

    package init?(fieldValue bytes: [UInt8]) {
        guard let found = bytes.withUnsafeBytes({ EntityReference(fieldValue: $0) }) else { return nil }
        self = found
    }

    /// The id's bytes in a value that names an entity of a kind, or of any if it is nil; nil if there is none. Valid as long as the value is.
    package static func idBytes(
        in value: UnsafeRawBufferPointer, of kind: EntityKind?
    ) -> UnsafeRawBufferPointer? {
        guard value.count == valueSize, kind == nil || value.bigEndian(UInt16.self) == kind?.rawValue else {
            return nil
        }
        return UnsafeRawBufferPointer(rebasing: value[2...])
    }
}
