public import Events
public import Foundation

/// A file that belongs to an entity: a ticket, a boarding pass, a photo.
///
/// The entity says what the file is; its bytes lie beside the log, once for each content, and are named by a hash. They may be
/// missing here while the entity is there: see `TripStore.state(of:)`.
public struct AttachedFile: OwnEntity, BuiltInEntity {
    public let id: Identifier<AttachedFile>
    /// The file's name, as people see it.
    public var name = ""
    /// The entity that the file belongs to.
    public var owner: EntityReference?
    /// The name of its bytes; nil if they were never named.
    public var content: ContentID?
    /// The media type, as "application/pdf"; empty if it is not known.
    public var mediaType = ""
    public var caption = ""
    /// A small picture, as JPEG or PNG: at most 64 KiB.
    public var thumbnail: Data?
    /// When its bytes were given up for ever, everywhere; nil if they were not.
    public var discardedAt: Date?
    var state = StoredState()

    init(blank id: ID) { self.id = id }

    public init(
        id: ID = .new(), name: String, of owner: EntityReference, content: ContentID, mediaType: String = "",
        caption: String = "", thumbnail: Data? = nil
    ) {
        self.id = id
        self.name = name
        self.owner = owner
        self.content = content
        self.mediaType = mediaType
        self.caption = caption
        self.thumbnail = thumbnail
    }

    /// In bytes.
    public var size: Int64? { content?.size }

    /// The most bytes of a thumbnail.
    package static let largestThumbnail = 64 << 10

    static let builtInSchema = Schema<AttachedFile>(
        store: 16, "attachment",
        [
            Field(1, "name", \.name, isRequired: true).help("Its name, as people see it.", search: .name),
            .parent("owner", \.owner), Field(3, "content", \.content),
            Field(4, "mediaType", \.mediaType).help("The type of the file, as application/pdf."),
            Field(5, "caption", \.caption).help("What it shows.", search: .caption),
            Field(6, "thumbnail", \.thumbnail) { $0.count <= largestThumbnail }, Field(7, "discardedAt", \.discardedAt),
        ])
}

/// The root, then the number of bytes: 40 bytes.
extension ContentID: OwnFieldValue {
    public static var coding: OwnFieldCoding<ContentID> {
        .mapped(
            to: { Data($0.bytes) }, from: { bytes in bytes.withUnsafeBytes { ContentID($0) } })
    }
}
