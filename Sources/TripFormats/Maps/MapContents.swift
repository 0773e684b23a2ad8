import TripStore

/// The places and tracks of a map.
struct MapContents {
    /// A place, or an item of a store that wrote the map.
    struct Place {
        /// The id of the feature in all versions of the map.
        let externalID: String
        let item: ForeignItem
        let own: EntityReference?
        let line: Int
    }

    struct Track {
        let externalID: String
        let name: String
        /// Its length and its times, then what the file says of it.
        let caption: String
        let days: ClosedRange<Day>?
        /// The bytes of the file that describe it.
        let range: Range<Int64>
        let line: Int
    }

    private static let mostTracks = 10_000

    /// The name that the file gives itself.
    var name = ""
    /// The places that no batch has had yet.
    var places: [Place] { batches.waiting }
    private(set) var placeCount = 0
    private(set) var tracks: [Track] = []
    var skipped: Int { warnings.skipped }
    var warnings = CountedWarnings()
    private let zone: String
    private let mostNoteBytes: Int
    private var noteBytes = 0
    /// The bytes of notes from which a place begins another batch.
    private static let fullBytes = 4 << 20
    private var batchBytes = 0
    private(set) var names: RepeatedNames
    private let batches: RecordBatches<Place>

    /// - Parameters:
    ///   - zone: of times that name no offset, and in which the others are shown.
    ///   - names: those of a reading before, rewound.
    ///   - batches: takes the places.
    init(
        zone: String, mostNoteBytes: Int = 64 << 20, names: RepeatedNames = RepeatedNames(),
        batches: RecordBatches<Place> = RecordBatches(of: .max) { _ in }
    ) {
        (self.zone, self.mostNoteBytes, self.names, self.batches) = (zone, mostNoteBytes, names, batches)
    }

    /// Adds what a feature has: a track, and each of its points.
    ///
    /// Throws `tooLarge` for more than 5,000,000 places or 10,000 tracks, or too many bytes of notes.
    mutating func add(_ feature: MapFeature) throws(TextFormatError) {
        let isEmpty = feature.points.isEmpty && feature.track.points == 0
        if feature.hasArea, isEmpty {
            return leaveOut("an area or a picture is left out: places and tracks are taken", at: feature.line)
        }
        if feature.furtherPoints > 0 {
            leaveOut(
                "points are left out, for \(GeoPositions.most) are read of a geometry", feature.furtherPoints,
                at: feature.line)
        }
        if feature.noteCount > MapFeature.mostNotes {
            warnings.add("notes are left out, for \(MapFeature.mostNotes) are read of a place", at: feature.line)
        }
        if feature.own == nil, feature.track.points > 0 { try addTrack(feature) }
        if feature.own != nil || !feature.points.isEmpty {
            for (index, point) in (feature.own == nil ? feature.points.map { $0 } : [feature.points.first ?? nil])
                .enumerated()
            {
                try addPlace(feature, at: point, index)
            }
        } else if isEmpty {
            guard !feature.name.trimmed.isEmpty || !feature.address.trimmed.isEmpty else {
                return leaveOut("a place without a position and a name is left out", at: feature.line)
            }
            try addPlace(feature, at: nil, 0)
        }
    }

    /// Counts so many places, and warns of them once.
    mutating func leaveOut(_ warning: String, _ count: Int = 1, at line: Int) {
        warnings.leaveOut(warning, count, at: line)
    }

    mutating func warnOfPosition(at line: Int) {
        warnings.add("a position is left out, for it is no place on Earth", at: line)
    }

    /// The notes of a feature, a copy for each of its places.
    private mutating func notes(of feature: MapFeature) throws(TextFormatError) -> [String] {
        noteBytes += feature.notes.reduce(0) { $0 + $1.utf8.count }
        guard noteBytes <= mostNoteBytes else {
            throw TextFormatError(
                .tooLarge, "Its notes have over \(mostNoteBytes) bytes. Split it into smaller files.",
                at: TextPlace(line: feature.line))
        }
        return feature.notes
    }

    // MARK: Places

    private mutating func addPlace(
        _ feature: MapFeature, at point: Coordinates?, _ index: Int
    ) throws(TextFormatError) {
        guard placeCount < KnownHashes.mostRecords else {
            throw TextFormatError(
                .tooLarge, "It has over \(KnownHashes.mostRecords) places. Split it into smaller files.",
                at: TextPlace(line: feature.line))
        }
        let position = point.map { "\(Degrees.text($0.latitude)), \(Degrees.text($0.longitude))" } ?? ""
        let address = PlainText.of(feature.address).trimmed
        let named = PlainText.of(feature.name).split(whereSeparator: \.isNewline).joined(separator: " ").trimmed
        let shown = [named, address, position].first { !$0.isEmpty } ?? ForeignItem.untitled
        var item = ForeignItem(kind(of: feature), name: shown)
        setTimes(of: &item, feature)
        let notes = try notes(of: feature).joined(separator: "\n\n")
        item.notes = notes
        item.category = PlainText.of(feature.category).trimmed
        item.links = feature.links
        let place = Address(coordinates: point, formatted: address)
        setPlace(of: &item, feature, place.isEmpty ? nil : place)
        // The first of a name keeps it alone, so that it may move.
        var id = feature.id.isEmpty ? named : "#\(feature.id)"
        if index > 0 { id += "\u{1F}\(index)" }
        if id.isEmpty || !names.insert(id) {
            id += "\u{1F}\(position)"
            guard names.insert(id) else {
                warnings.add("a place is left out: one of the same name is there already", at: feature.line)
                return
            }
        }
        placeCount += 1
        batchBytes += notes.utf8.count
        let isFull = batchBytes > Self.fullBytes
        if isFull { batchBytes = 0 }
        try batches.append(
            Place(externalID: id, item: item, own: feature.own, line: feature.line), isFull: isFull)
    }

    private func kind(of feature: MapFeature) -> ForeignItem.Kind {
        switch feature.own?.kind {
        case .lodging: .lodging
        case .transportation: .transportation
        default: .activity
        }
    }

    private func setPlace(of item: inout ForeignItem, _ feature: MapFeature, _ place: Address?) {
        guard item.kind == .transportation else {
            item.address = .some(place)
            return
        }
        item.mode = .other
        let (first, last) = feature.isArrival ? (nil, place) : (place, nil)
        item.departure = TravelPlace(address: feature.track.first.map { Address(coordinates: $0) } ?? first)
        item.arrival = TravelPlace(address: feature.track.last.map { Address(coordinates: $0) } ?? last)
    }

    private mutating func setTimes(of item: inout ForeignItem, _ feature: MapFeature) {
        let start = time(feature.start, feature.line)
        let end = time(feature.end, feature.line)
        if let start { (item.start, item.startDay) = (.some(start.moment), .some(start.day)) }
        if let end, end != start { (item.end, item.endDay) = (.some(end.moment), .some(end.day)) }
    }

    private mutating func time(_ text: String, _ line: Int) -> MapTime? {
        guard !text.trimmed.isEmpty else { return nil }
        if let time = MapTime(text, zone: zone) { return time }
        warnings.add("a time is left out, for it is none of ISO 8601, as 2027-05-01T08:30:00Z", at: line)
        return nil
    }

    // MARK: Tracks

    private mutating func addTrack(_ feature: MapFeature) throws(TextFormatError) {
        guard tracks.count < Self.mostTracks else {
            throw TextFormatError(
                .tooLarge, "It has over \(Self.mostTracks) tracks. Split it into smaller files.",
                at: TextPlace(line: feature.line))
        }
        let track = feature.track
        let times = [track.start.isEmpty ? feature.start : track.start, track.end.isEmpty ? feature.end : track.end]
            .map { time($0, feature.line) }
        let moments = times.compactMap { $0?.moment?.utc }
        let length = "\(Int64(track.meters.rounded())) m"
        let measured = moments.count == 2 ? "\(length) from \(moments[0]) to \(moments[1])" : length
        let name = PlainText.of(feature.name).split(whereSeparator: \.isNewline).joined(separator: " ").trimmed
        let days = times.compactMap { $0?.day ?? $0?.moment?.localDay }
        var id = feature.id.isEmpty ? name : "#\(feature.id)"
        if id.isEmpty || !names.insert("track\u{1F}\(id)") {
            id += "\u{1F}\(track.start)\u{1F}\(track.first.map { "\($0.latitude),\($0.longitude)" } ?? "")"
            guard names.insert("track\u{1F}\(id)") else {
                warnings.add("a track is left out: one of the same name is there already", at: feature.line)
                return
            }
        }
        let notes = try self.notes(of: feature)
        tracks.append(
            Track(
                externalID: id, name: name.isEmpty ? "Track" : name,
                caption: ([measured] + notes).joined(separator: "\n"),
                days: days.min().flatMap { first in days.max().map { first...$0 } }, range: feature.range,
                line: feature.line))
    }
}
