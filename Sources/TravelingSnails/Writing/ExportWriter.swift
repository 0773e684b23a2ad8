public import Foundation

/// Writes an export that Traveling Snails and ``ExportFile`` read, piece by piece: memory holds a piece and one trip, however large the
/// export is.
///
/// The parts come in the order of the file: trips, organizations, addresses, attachments. Any may be left out. The file is an export only
/// after ``finish()``.
///
/// ```swift
/// var writer = ExportWriter(timestamp: .now, includesAttachments: false) { try file.write(contentsOf: $0) }
/// for trip in trips { try writer.append(trip) }
/// try writer.finish()
/// ```
public struct ExportWriter {
    /// The lists of the file in their order.
    private enum Part: Int {
        case trips, organizations, addresses, attachments, end
    }

    /// Bytes at once.
    private static let pieceSize = 256 << 10

    private let output: ([UInt8]) throws -> Void
    private var json = JSONOutput(reserving: pieceSize * 2)
    private var part = Part.trips
    /// Whether the current list has no element yet.
    private var isFresh = true
    private var attachmentBytes: Base64Writer?

    /// Begins an export.
    /// - Parameters:
    ///   - timestamp: when it is made.
    ///   - exporter: what makes it, if that is not the app; see ``ExportInfo/exporter``.
    ///   - store: which store's trips they are; see ``ExportInfo/store``.
    ///   - includesAttachments: what the file says of itself; nothing depends on it.
    ///   - output: takes the next bytes; its error ends the writing and is rethrown.
    public init(
        timestamp: Date, exporter: String? = nil, store: UUID? = nil, includesAttachments: Bool,
        _ output: @escaping ([UInt8]) throws -> Void
    ) {
        self.output = output
        json.raw("{\n \"exportInfo\" : {\n  \"version\" : \"1.0\",\n  \"timestamp\" : ")
        json.date(ExportedInstant(timestamp))
        json.raw(",\n  \"format\" : \"json\"")
        if let exporter {
            json.raw(",\n  \"exportedBy\" : ")
            json.text(exporter)
        }
        if let store {
            json.raw(",\n  \"exportedFrom\" : ")
            json.uuid(store)
        }
        json.raw(",\n  \"includesAttachments\" : ")
        json.flag(includesAttachments)
        json.raw("\n },\n \"trips\" : [")
    }

    /// Writes a trip with its items. O(its bytes).
    public mutating func append(_ trip: ExportedTrip) throws {
        try begin(.trips)
        json.write(trip)
        try flushIfFull()
    }

    /// Writes an organization.
    public mutating func append(_ organization: ExportedOrganization) throws {
        try begin(.organizations)
        json.write(organization)
        try flushIfFull()
    }

    /// Writes an address of no organization.
    public mutating func append(_ address: ExportedAddress) throws {
        try begin(.addresses)
        json.write(address, .element)
        try flushIfFull()
    }

    /// Begins an attachment: its bytes follow in any number of pieces by ``append(bytes:)``, and ``endAttachment()``.
    public mutating func begin(_ attachment: ExportedAttachment) throws {
        try begin(.attachments)
        json.write(attachment)
        attachmentBytes = Base64Writer()
        try flushIfFull()
    }

    /// Writes the next bytes of the attachment that was begun. O(bytes).
    public mutating func append(bytes: [UInt8]) throws {
        guard let characters = attachmentBytes?.encode(bytes) else {
            throw ExportError(.outOfOrder, "Bytes of an attachment came without one. Begin it before.")
        }
        json.raw(characters)
        try flushIfFull()
    }

    /// Ends the attachment that was begun.
    public mutating func endAttachment() throws {
        guard let characters = attachmentBytes?.finish() else {
            throw ExportError(.outOfOrder, "An attachment was ended without being begun.")
        }
        attachmentBytes = nil
        json.raw(characters)
        json.raw("\"\n  }")
        try flushIfFull()
    }

    /// Ends the export, and hands out what is left.
    public mutating func finish() throws {
        try move(to: .end)
        json.raw("\n}\n")
        try flush()
    }

    // MARK: Lists

    /// Begins an element of a list.
    private mutating func begin(_ next: Part) throws {
        try move(to: next)
        isFresh ? json.raw("\n  ") : json.raw(",\n  ")
        isFresh = false
    }

    private mutating func move(to next: Part) throws {
        guard attachmentBytes == nil else {
            throw ExportError(.outOfOrder, "An attachment was begun and not ended. End it before what follows.")
        }
        guard next.rawValue >= part.rawValue, part != .end else {
            throw ExportError(
                .outOfOrder,
                "An export is written in the order of trips, organizations, addresses, attachments, and its end; \(next) came after \(part)."
            )
        }
        while part != next, let following = Part(rawValue: part.rawValue + 1) {
            isFresh ? json.raw("]") : json.raw("\n ]")
            part = following
            isFresh = true
            switch part {
            case .organizations: json.raw(",\n \"organizations\" : [")
            case .addresses: json.raw(",\n \"addresses\" : [")
            case .attachments: json.raw(",\n \"attachments\" : [")
            case .trips, .end: break
            }
        }
    }

    // MARK: Output

    @inline(__always)
    private mutating func flushIfFull() throws { if json.bytes.count >= Self.pieceSize { try flush() } }

    private mutating func flush() throws {
        try output(json.bytes)
        json.removeAll()
    }
}
