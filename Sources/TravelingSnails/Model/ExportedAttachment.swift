public import Foundation

/// The description of an item's attached file in an export. Its bytes are passed on separately and not kept here.
public struct ExportedAttachment: Sendable, Hashable {
    public let id: UUID
    /// The name that the file had when it was attached, or, where the export does not say, the one that the app gave it.
    public let name: String
    /// The media type, as "application/pdf"; empty when missing.
    public let mimeType: String
    /// The caption that people wrote for the attachment; empty when missing.
    public let caption: String
    /// When it was attached.
    public let createdDate: Date?
    /// The kind of item that it belongs to.
    public let parentKind: ExportedItem.Kind
    /// The id of that item.
    public let parentID: UUID
    /// The number of bytes that the export claims; nil when missing.
    public let claimedSize: Int64?
    public let place: Place

    /// Makes an attachment from its parts.
    public init(
        id: UUID, name: String, mimeType: String = "", caption: String = "", createdDate: Date? = nil,
        parentKind: ExportedItem.Kind, parentID: UUID, claimedSize: Int64? = nil, place: Place = .start
    ) {
        self.id = id
        self.name = name
        self.mimeType = mimeType
        self.caption = caption
        self.createdDate = createdDate
        self.parentKind = parentKind
        self.parentID = parentID
        self.claimedSize = claimedSize
        self.place = place
    }
}
