import EventLog
import Events
import Trips

/// The commit of an earlier attempt of an append, with the same append id.
struct EarlierAttempt: Sendable {
    let appended: Appended
    private let id: AppendID
    private let events: [Event]
    private let known: KnownSchema?
    /// The proposed writes that are not in the commit.
    private let omitted: [AppendProposal.OmittedWrite]

    /// Nil if there was none. Throws `TripStoreError.Code.appendIDReused` if the commit with that id has other events.
    init?(
        of proposal: AppendProposal, _ id: AppendID, _ log: borrowing LogSnapshot, in known: KnownSchema?
    ) throws {
        guard let commit = try log.commit(bearing: id) else { return nil }
        self.id = id
        self.known = known
        appended = commit.appended
        var events: [Event] = []
        let replicas = commit.seenReplicas
        try commit.forEachEvent { event, _ in events.append(try event.copy(replicas)) }
        self.events = events
        let (difference, omitted) = proposal.match(events, in: known)
        self.omitted = omitted
        if let difference { throw reused(difference) }
    }

    /// The entities that it touched, in the order of its events.
    var entities: [EntityReference] {
        var known: Set<EntityReference> = []
        return events.map(\.entity).filter { known.insert($0).inserted }
    }

    /// Checks that the writes that are not in the commit would have changed nothing then.
    ///
    /// Throws `TripStoreError.Code.appendIDReused` if the commit is not the proposed one.
    func checkOmitted(_ auditor: inout Auditor) throws {
        // What adds nothing to a counter changes nothing.
        for omitted in omitted where omitted.write.path.element != .ownShare || !omitted.addsNothing {
            let path = omitted.write.path
            let timeline = try auditor.timeline(of: omitted.entity)
            let before = timeline.record(asOf: .position(Position(appended.position.rawValue - 1))).register(at: path)
            let written = events.lazy.filter { $0.entity == omitted.entity }.flatMap(\.changes)
                .filter { $0.path == path }.map(\.value)
            let isUnchanged = ([before?.value] + written).contains { $0 == omitted.value(over: $0, in: known) }
            if !isUnchanged {
                throw reused("it does not have all that was proposed for the \(omitted.entity.words(in: known))")
            }
        }
    }

    private func reused(_ difference: String) -> TripStoreError {
        TripStoreError(
            .appendIDReused,
            "The append id \(id) belongs to the commit at position \(appended.position), which is another: "
                + "\(difference). Nothing was written. Draw a new id for each thing that is to be written.",
            entity: events.first?.entity)
    }
}

extension TripStore {
    /// The receipt of an earlier attempt of an append; nil if there was none, or it has no id.
    ///
    /// For verbs that read the state before they write: the state is already as the earlier attempt left it. O(1,024)
    /// with an id. Throws `TripStoreError.Code.appendIDReused`.
    func receiptOfEarlierAttempt(_ proposal: AppendProposal, _ authorship: Authorship) throws -> Receipt? {
        guard let id = authorship.appendID, !isReadOnly else { return nil }
        return try readLog { try EarlierAttempt(of: proposal, id, $0, in: knownSchema) }.map { try receipt(of: $0) }
    }

    /// The versions are those after the commit, from the history of each entity.
    ///
    /// Throws `TripStoreError.Code.appendIDReused` if the commit is not the proposed one.
    func receipt(of earlier: EarlierAttempt) throws -> Receipt {
        let (appended, entities) = (earlier.appended, earlier.entities)
        let versions = try withAuditor { auditor, _ in
            try earlier.checkOmitted(&auditor)
            return try entities.map { try auditor.timeline(of: $0).record(asOf: .position(appended.position)).version }
        }
        return Receipt(
            appended, versions: Dictionary(uniqueKeysWithValues: zip(entities, versions)), entities: entities,
            isVisible: shows(appended.position), isRepeat: true)
    }

    /// Throws `TripStoreError.Code.appendIDUnusable` if there is an append id for an operation that may write several
    /// commits.
    func refuseAppendID(_ authorship: Authorship, _ what: String) throws {
        guard let id = authorship.appendID else { return }
        throw TripStoreError(
            .appendIDUnusable, "The append id \(id) names one commit, and \(what) may take several. Leave it out.")
    }

    /// Refuses an append id of a method that makes ids, which another attempt would make anew.
    func refuseAppendID(_ authorship: Authorship, whereIDsAreMadeBy what: String) throws {
        guard let id = authorship.appendID else { return }
        throw TripStoreError(
            .appendIDUnusable,
            "The append id \(id) cannot be repeated: each attempt of \(what) makes new ids. Leave it out, or append the events of "
                + "entities whose ids you keep.")
    }
}
