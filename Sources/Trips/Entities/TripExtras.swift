public import Foundation

/// The fields that few trips have.
struct TripExtras: RareValues {
    var cover: UUID?
    var color = ""
    var rank: Rank?
}

extension Trip {
    /// The id of the attachment that apps show for the trip.
    public var cover: UUID? {
        get { extras.storage?.values.cover }
        set { extras.set(\.cover, newValue) }
    }

    /// The colour in which apps show the trip: `#RRGGBB`, or a name of the app's. Kept as written.
    public var color: String {
        get { extras.storage?.values.color ?? "" }
        set { extras.set(\.color, newValue) }
    }

    /// Where the trip stands in an order that people make by hand; nil until they do. See `TripStore.arrange(_:by:)`.
    public var rank: Rank? {
        get { extras.storage?.values.rank }
        set { extras.set(\.rank, newValue) }
    }

    public var links: [Link] {
        get { elements(\.links) }
        set { set(\.links, to: newValue) }
    }
}
