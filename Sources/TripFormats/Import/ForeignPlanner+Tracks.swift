import TripStore

extension ForeignPlanner {
    struct PlacedTrack {
        let track: ForeignTrack
        /// Nil for the trip of the file.
        let trip: Trip.ID?
        let moves: Bool
    }

    /// A track that is here stays where it is, unless a trip is named; another comes where items of its days do.
    func place(_ tracks: [ForeignTrack]) throws -> [PlacedTrack] {
        guard !tracks.isEmpty else { return [] }
        let state = try ImportState(tracks.map(\.id.reference), sender.basis, in: sender.store)
        return try tracks.map { track in
            switch target {
            case .trip(let trip): return PlacedTrack(track: track, trip: trip, moves: true)
            case .named: return PlacedTrack(track: track, trip: nil, moves: true)
            case .byDays:
                let held: AttachedFile? = try state.created(track.id.reference)?.base(track.id)
                let owner = held?.owner.flatMap { Trip.ID($0) }
                let trip = try owner ?? track.days.flatMap { try tripAround($0) }
                return PlacedTrack(track: track, trip: trip == fileTrip.id ? nil : trip, moves: false)
            }
        }
    }

    /// The bytes are stored before anything names them; a dry run only names them.
    func record(_ placed: PlacedTrack) throws -> ImportRecord? {
        let content = isDryRun ? try placed.track.content() : try placed.track.store(in: sender.store)
        return content.map { content in
            .foreignTrack(
                ForeignTrackRecord(
                    track: placed.track, content: content,
                    destination: placed.trip.map { .here($0) } ?? .brought(fileTrip), moves: placed.moves))
        }
    }
}
