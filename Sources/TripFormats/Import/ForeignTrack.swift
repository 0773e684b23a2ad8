import EventLog
import Events
import TripStore

/// A track of a map, which becomes an attachment of its trip.
struct ForeignTrack: Sendable {
    let id: AttachedFile.ID
    let name: String
    let caption: String
    let days: ClosedRange<Day>?
    let place: String
    private let map: MapFile
    private let range: Range<Int64>

    init(_ track: MapContents.Track, of map: MapFile, provider: String) {
        id = .derived(from: provider, "track:\(track.externalID)")
        name = String(track.name.replacing("/", with: "-").prefix(200)) + ".\(map.format.fileExtension)"
        (caption, days, place) = (track.caption, track.days, "line \(track.line)")
        (self.map, range) = (map, track.range)
    }

    var mediaType: String { map.format.mediaType }

    /// Stores its bytes, once for each content.
    func store(in store: TripStore) throws -> ContentID {
        var pieces = try map.pieces(of: range)
        return try store.addContent { try pieces.next() }
    }

    /// The name that its bytes would have.
    func content() throws -> ContentID? {
        var pieces = try map.pieces(of: range)
        var (leaves, rest, size): ([Digest], [UInt8], Int64) = ([], [], 0)
        while let piece = try pieces.next() {
            (rest, size) = (rest + piece, size + Int64(piece.count))
            while rest.count >= ContentID.partSize {
                leaves.append(Array(rest[..<ContentID.partSize]).withUnsafeBytes { ContentTree.leaf($0) })
                rest.removeFirst(ContentID.partSize)
            }
        }
        if !rest.isEmpty { leaves.append(rest.withUnsafeBytes { ContentTree.leaf($0) }) }
        return ContentID(root: ContentTree.root(leaves), size: size)
    }
}

/// A track with its bytes, on its way into a trip.
struct ForeignTrackRecord: Sendable {
    let track: ForeignTrack
    let content: ContentID
    let destination: ForeignItemRecord.Destination
    /// Whether a track that is here already comes into the trip.
    let moves: Bool

    func set(on attachment: inout AttachedFile) {
        (attachment.name, attachment.caption) = (track.name, track.caption)
        (attachment.content, attachment.mediaType) = (content, track.mediaType)
        if let trip = destination.trip, moves || attachment.owner == nil { attachment.owner = trip.reference }
    }
}
