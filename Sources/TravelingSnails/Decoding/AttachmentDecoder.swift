import Foundation

/// Reads one attachment, and passes its bytes on as they are decoded.
struct AttachmentDecoder<Stored> {
    private var faults = Faults()
    private var id: UUID?
    private var name = ""
    private var originalName = ""
    private var mimeType = ""
    private var caption = ""
    private var createdDate: Date?
    private var parentKind: ExportedItem.Kind?
    private var parentID: UUID?
    private var claimedSize: Int64?
    private var stored: Stored?

    /// Reads the object whose brace is the next byte. `store` gets a function that returns the next bytes, until it returns none.
    ///
    /// Throws `ExportError` for a file that is no JSON any more, or what `store` throws of its own.
    static func decode(
        _ reader: inout JSONReader, _ store: (() throws -> [UInt8]?) throws -> Stored
    ) throws -> Decoded<(ExportedAttachment, Stored)> {
        let place = reader.place
        try reader.beginObject()
        var decoder = AttachmentDecoder()
        while let key = try reader.nextKey() { try decoder.read(key, &reader, store) }
        return decoder.finish(place)
    }

    private mutating func read(
        _ key: ExportKey, _ reader: inout JSONReader, _ store: (() throws -> [UInt8]?) throws -> Stored
    ) throws {
        switch key {
        case .id: id = try reader.uuid(&faults)
        case .fileName: name = try reader.text(&faults)
        case .originalFileName: originalName = try reader.text(&faults)
        case .fileSize: claimedSize = try reader.number(&faults).flatMap { Int64($0.text) }
        case .mimeType: mimeType = try reader.text(&faults)
        case .fileDescription: caption = try reader.text(&faults)
        case .createdDate: createdDate = try reader.date(&faults)
        case .parentType: try readKind(&reader)
        case .parentId: parentID = try reader.uuid(&faults)
        case .fileData: try readBytes(&reader, store)
        default: try reader.skipValue()
        }
    }

    private mutating func readKind(_ reader: inout JSONReader) throws(ExportError) {
        _ = try reader.peek()
        let place = reader.place
        parentKind = nil
        guard let text = try reader.optionalText(&faults) else { return }
        parentKind = ExportedItem.Kind(rawValue: text.lowercased())
        if parentKind == nil {
            let kinds = ExportedItem.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            faults.add(.parentType, at: place, "`parentType` must be one of \(kinds), not \(text.excerpt())")
        }
    }

    private mutating func readBytes(
        _ reader: inout JSONReader, _ store: (() throws -> [UInt8]?) throws -> Stored
    ) throws {
        stored = nil
        guard try reader.beginText(&faults) else { return }
        let place = reader.place
        reader.beginString()
        var text = Base64Text()
        do { stored = try store { try text.next(&reader) } } catch let fault as Base64Text.Fault {
            faults.add(.fileData, at: place, "`fileData` is no base64: \(fault.reason)")
        }
        // The rest of what is bad, or was not wanted.
        var rest: [UInt8] = []
        while !text.isAtEnd, try reader.readPiece(into: &rest, atMost: 64 * 1024) {
            rest.removeAll(keepingCapacity: true)
        }
    }

    private mutating func finish(_ place: Place) -> Decoded<(ExportedAttachment, Stored)> {
        if faults.isEmpty {
            if id == nil { faults.add(.id, "`id` is missing") }
            if parentKind == nil { faults.add(.parentType, "`parentType` is missing") }
            if parentID == nil { faults.add(.parentId, "`parentId` is missing") }
            if stored == nil { faults.add(.fileData, "`fileData` is missing") }
        }
        guard let id, let parentKind, let parentID, let stored, faults.isEmpty else {
            let named = [originalName, name].first { !$0.isEmpty }.map { " \($0.excerpt())" } ?? ""
            return .bad(
                faults.problem(place, "the attachment\(named) is left out", leavingOut: [.attachment: 1]))
        }
        let attachment = ExportedAttachment(
            id: id, name: originalName.isEmpty ? name : originalName, mimeType: mimeType, caption: caption,
            createdDate: createdDate, parentKind: parentKind, parentID: parentID, claimedSize: claimedSize, place: place
        )
        return .good((attachment, stored))
    }
}
