import EventLog
import Events

/// Folds references, grouped by entity, into records and rows: one thread's share of a rebuild.
struct EntityFolder: ~Copyable {
    private let projections: [any Projection]
    private let sources: CommitSources
    /// Rows made in key order: first the entities, then the views whose keys begin with the entity.
    var ordered: [BulkLoader.Part]
    /// The views of `ordered` from the second on.
    private let orderedViews: [FoldedView]
    /// The views whose rows must be sorted.
    private let sortedViews: [FoldedView]
    /// In the order of `sortedViews`.
    private(set) var sorters: [RowSorter]
    // The views that make rows from events, and those that make rows from entities.
    private let orderedFromEvents: ViewCalls
    private let orderedFromEntities: ViewCalls
    private let sortedFromEvents: ViewCalls
    private let sortedFromEntities: ViewCalls
    private var merger = RecordMerger()
    /// The references of the current entity.
    private var group: [EventReference] = []
    private var firstRows: [Int]
    /// A sum of prefetched bytes: without a use of it, the compiler would leave out the prefetch.
    private(set) var prefetched: UInt8 = 0
    /// How many events are prefetched at a time: few enough that their bytes stay in the processor's cache.
    private static let lookahead = 128

    init(
        _ projections: [any Projection], wanted: Set<Int>?, _ sources: CommitSources, scratch folder: String
    ) {
        self.projections = projections
        self.sources = sources
        let views = projections.indices.filter { wanted?.contains($0) ?? true }
            .map { FoldedView(projections[$0], index: $0) }
        orderedViews = views.filter { $0.projection.keysBeginWithEntity && !$0.isAccumulating }
        sortedViews = views.filter { !$0.projection.keysBeginWithEntity || $0.isAccumulating }
        ordered = [BulkLoader.Part(number: Generation.entitiesPart, rows: RowSink())]
        ordered += orderedViews.map { view in
            BulkLoader.Part(number: Generation.part(ofView: view.index), rows: RowSink())
        }
        firstRows = ordered.map { _ in 0 }
        orderedFromEvents = ViewCalls(orderedViews) { $0 != .entities }
        orderedFromEntities = ViewCalls(orderedViews) { $0 != .events }
        sortedFromEvents = ViewCalls(sortedViews) { $0 != .entities }
        sortedFromEntities = ViewCalls(sortedViews) { $0 != .events }
        sorters = sortedViews.map { RowSorter($0.projection, view: $0.index, folder: folder) }
    }

    /// Folds references in order: for each of their entities, all that there are.
    mutating func fold(_ references: [EventReference]) throws {
        for index in firstRows.indices { firstRows[index] = 0 }
        for (index, reference) in references.enumerated() {
            if index % Self.lookahead == 0 {
                prefetch(references[index..<min(index + Self.lookahead, references.count)])
                for sorter in sorters.indices { try sorters[sorter].spillIfFull() }
            }
            if let first = group.first, !first.isOfSameEntity(as: reference) { try finishEntity() }
            group.append(reference)
            do { try add(reference) } catch let fault as ProjectionFault {
                throw fault.found(at: sources.position(Int(reference.commit)))
            }
        }
        try finishEntity()
    }

    /// Loads a byte of each event: events lie far apart in the log, and their cache misses then overlap.
    private mutating func prefetch(_ references: ArraySlice<EventReference>) {
        for reference in references { prefetched &+= sources.bytes(reference).first ?? 0 }
    }

    private mutating func add(_ reference: EventReference) throws {
        let event = try sources.event(reference)
        let position = sources.position(reference, of: event)
        try merger.apply(event, index: position.index, stamp: position.stamp)
        for number in 0..<orderedFromEvents.count {
            let call = orderedFromEvents[number]
            try call.collect(event, at: position, into: &ordered[call.index + 1].rows)
        }
        for number in 0..<sortedFromEvents.count {
            let call = sortedFromEvents[number]
            try call.collect(event, at: position, into: &sorters[call.index].sink)
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
        // Taken out, so that the record can be read in place while rows are added to other sinks.
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
            for index in orderedViews.indices { try orderRows(index + 1, key, orderedViews[index]) }
        }
    }

    /// Orders an entity's rows in a view whose keys begin with the entity.
    private mutating func orderRows(_ index: Int, _ entity: UnsafeRawBufferPointer, _ view: FoldedView) throws {
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

    /// Finds the first commit after which the projection fails for the entity.
    private func located(_ fault: ProjectionFault) throws -> ProjectionFault {
        guard let projection = projections.first(where: { $0.name == fault.view }), let entity = fault.entity else {
            return fault
        }
        var merger = RecordMerger()
        var record: [UInt8] = []
        // The references of one entity are in the order of arrival.
        for reference in group {
            let event = try sources.event(reference)
            let position = sources.position(reference, of: event)
            var merged: [UInt8] = []
            try record.withUnsafeBytes { before in
                merger.reset()
                if !before.isEmpty { try merger.reset(to: RecordView(before)) }
                try merger.apply(event, index: position.index, stamp: position.stamp)
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
