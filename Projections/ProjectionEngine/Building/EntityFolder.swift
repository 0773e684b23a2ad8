import EventLog
import Events

/// Folds references, which come by entity, into records and rows: one share of a rebuild's work.
struct EntityFolder: ~Copyable {
    private let projections: [any Projection]
    private let sources: CommitSources
    /// Rows that come in the order of their keys: first the entities, then views that say that theirs do.
    var ordered: [BulkLoader.Part]
    /// The views of `ordered` from the second on.
    private let orderedViews: [FoldedView]
    /// The views whose rows must be sorted.
    private let sortedViews: [FoldedView]
    /// In the order of `sortedViews`.
    private(set) var sorters: [RowSorter]
    // Which of them get rows from what.
    private let orderedFromEvents: ViewCalls
    private let orderedFromEntities: ViewCalls
    private let sortedFromEvents: ViewCalls
    private let sortedFromEntities: ViewCalls
    private var merger = RecordMerger()
    /// The references of the entity at hand.
    private var group: [EventReference] = []
    private var firstRows: [Int]
    /// A sum over bytes that were touched: without a use of it, touching them would be left out.
    private(set) var touched: UInt8 = 0
    /// How many events are touched ahead: few enough that what they point to stays in the processor's cache.
    private static let lookahead = 128

    init(
        _ projections: [any Projection], wanted: Set<Int>?, _ sources: CommitSources, scratch folder: String
    ) {
        self.projections = projections
        self.sources = sources
        let views = projections.indices.filter { wanted?.contains($0) ?? true }
            .map { FoldedView(projections[$0], place: $0) }
        orderedViews = views.filter { $0.projection.keysBeginWithEntity && !$0.isAccumulating }
        sortedViews = views.filter { !$0.projection.keysBeginWithEntity || $0.isAccumulating }
        ordered = [BulkLoader.Part(number: Generation.entitiesPart, rows: RowSink())]
        ordered += orderedViews.map { view in
            BulkLoader.Part(number: Generation.part(ofView: view.place), rows: RowSink())
        }
        firstRows = ordered.map { _ in 0 }
        orderedFromEvents = ViewCalls(orderedViews) { $0 != .entities }
        orderedFromEntities = ViewCalls(orderedViews) { $0 != .events }
        sortedFromEvents = ViewCalls(sortedViews) { $0 != .entities }
        sortedFromEntities = ViewCalls(sortedViews) { $0 != .events }
        sorters = sortedViews.map { RowSorter($0.projection, place: $0.place, folder: folder) }
    }

    /// Takes references: all of those of the entities that they are of, in order.
    mutating func fold(_ references: [EventReference]) throws {
        for index in firstRows.indices { firstRows[index] = 0 }
        for (index, reference) in references.enumerated() {
            if index % Self.lookahead == 0 {
                touch(references[index..<min(index + Self.lookahead, references.count)])
                for sorter in sorters.indices { try sorters[sorter].settle() }
            }
            if let first = group.first, !first.isOfSameEntity(as: reference) { try finishEntity() }
            group.append(reference)
            do { try add(reference) } catch let fault as ProjectionFault {
                throw fault.found(at: sources.position(Int(reference.commit)))
            }
        }
        try finishEntity()
    }

    /// Asked for at once, what lies in distant places of the log comes from memory at once.
    private mutating func touch(_ references: ArraySlice<EventReference>) {
        for reference in references { touched &+= sources.bytes(reference).first ?? 0 }
    }

    private mutating func add(_ reference: EventReference) throws {
        let event = try sources.event(reference)
        let place = sources.place(reference, of: event)
        try merger.apply(event, index: place.index, stamp: place.stamp)
        for number in 0..<orderedFromEvents.count {
            let call = orderedFromEvents[number]
            try call.collect(event, at: place, into: &ordered[call.index + 1].rows)
        }
        for number in 0..<sortedFromEvents.count {
            let call = sortedFromEvents[number]
            try call.collect(event, at: place, into: &sorters[call.index].sink)
        }
    }

    private mutating func finishEntity() throws {
        guard let first = group.first else { return }
        let entity = first.entity
        ordered[0].rows.put(entity, &merger)
        do {
            try addRows(of: entity)
        } catch let fault as ProjectionFault {
            throw try located(fault)
        }
        merger.reset()
        group.removeAll(keepingCapacity: true)
    }

    private mutating func addRows(of entity: EntityReference) throws {
        // Taken out, so that the record can be read where it lies while rows are added elsewhere.
        var entities = RowSink()
        swap(&entities, &ordered[0].rows)
        defer { swap(&entities, &ordered[0].rows) }
        guard let row = entities.rows.last else { return }
        try entities.withRow(row) { key, value in
            let record = try RecordView(value)
            for number in 0..<sortedFromEntities.count {
                let call = sortedFromEntities[number]
                try call.collect(entity, record, into: &sorters[call.index].sink)
            }
            for number in 0..<orderedFromEntities.count {
                let call = orderedFromEntities[number]
                try call.collect(entity, record, into: &ordered[call.index + 1].rows)
            }
            for index in orderedViews.indices { try settle(index + 1, key, orderedViews[index]) }
        }
    }

    /// Orders the rows that an entity has in a view whose keys begin with it.
    private mutating func settle(_ index: Int, _ entity: UnsafeRawBufferPointer, _ view: FoldedView) throws {
        let first = firstRows[index]
        firstRows[index] = ordered[index].rows.rows.count
        guard let misfit = ordered[index].rows.order(from: first, under: entity) else { return }
        switch misfit {
        case .twice(let row):
            throw ProjectionFault.sharedKey(ordered[index].rows.key(row), view: view.projection.name, nil)
        case .elsewhere:
            throw ProjectionFault(
                view: view.projection.name, entity: EntityReference(entity),
                reason: "a key does not begin with the entity's bytes, as all are said to")
        }
    }

    /// Finds the first commit that left the entity in a state at which the projection fails.
    private func located(_ fault: ProjectionFault) throws -> ProjectionFault {
        guard let projection = projections.first(where: { $0.name == fault.view }), let entity = fault.entity else {
            return fault
        }
        var merger = RecordMerger()
        var record: [UInt8] = []
        // In the order of arrival, which is that of the references of one entity.
        for reference in group {
            let event = try sources.event(reference)
            let place = sources.place(reference, of: event)
            var merged: [UInt8] = []
            try record.withUnsafeBytes { before in
                merger.reset()
                if !before.isEmpty { try merger.reset(to: RecordView(before)) }
                try merger.apply(event, index: place.index, stamp: place.stamp)
                merger.encode(into: &merged)
            }
            record = merged
            var sink = RowSink()
            do {
                try record.withUnsafeBytes { bytes in
                    try projection.collect(
                        entity, RecordView(bytes), into: &sink, isAccumulating: projection.rowKind == .accumulating)
                }
            } catch let found as ProjectionFault {
                return found.found(at: sources.position(Int(reference.commit)))
            }
        }
        return fault
    }
}
