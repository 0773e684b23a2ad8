import Events
import LMDB

/// Gathers the rows of a whole build, sorts them, and loads them in the order of keys.
struct RowCollector {
    /// Rows put in one transaction: enough to be fast, few enough that a commit stays short.
    private static let rowsPerTransaction = 20_000

    private let projections: [any Projection]
    private let wanted: Set<Int>?
    private var entities: [RowSink.UniqueRow] = []
    private var unique: [[RowSink.UniqueRow]]
    private var contributions: [[RowSink.Contribution]]
    private var sink = RowSink()

    /// Gathers the rows of the wanted projections, or of all.
    init(projections: [any Projection], wanted: Set<Int>?) {
        self.projections = projections
        self.wanted = wanted
        unique = projections.map { _ in [] }
        contributions = projections.map { _ in [] }
    }

    var entityCount: Int { entities.count }

    mutating func add(_ event: EventView, at place: EventPlace) throws {
        for (view, projection) in projections.enumerated() where wanted?.contains(view) ?? true {
            try projection.collect(event, at: place, into: &sink)
            take(view)
        }
    }

    mutating func add(_ entity: EntityReference, _ record: EntityRecord) throws {
        let encoded = record.encoded()
        for (view, projection) in projections.enumerated() where wanted?.contains(view) ?? true {
            try encoded.withUnsafeBytes { try projection.collect(entity, RecordView($0), into: &sink) }
            take(view)
        }
        entities.append(RowSink.UniqueRow(key: entity.bytes, value: encoded))
    }

    private mutating func take(_ view: Int) {
        if !sink.unique.isEmpty { unique[view].append(contentsOf: sink.unique) }
        if !sink.contributions.isEmpty { contributions[view].append(contentsOf: sink.contributions) }
        sink.removeAll()
    }

    /// Writes everything. The generation must be empty.
    mutating func load(into generation: Generation, _ progress: (BuildProgress) -> Void) throws {
        let total = UInt64(entities.count + unique.reduce(0) { $0 + $1.count })
        var done: UInt64 = 0
        try load(entities, generation.entities, generation, &done, total, progress)
        entities = []
        for view in projections.indices {
            var rows = unique[view]
            unique[view] = []
            rows.append(contentsOf: Self.sums(contributions[view]))
            contributions[view] = []
            rows.sort { $0.key.lexicographicallyPrecedes($1.key) }
            try checkUnique(rows, projections[view])
            try load(rows, generation.views[view], generation, &done, total, progress)
        }
    }

    private func checkUnique(_ rows: [RowSink.UniqueRow], _ projection: any Projection) throws(ProjectionFault) {
        for (row, next) in zip(rows, rows.dropFirst()) where row.key == next.key {
            throw .sharedKey(row.key, view: projection.name, nil)
        }
    }

    private static func sums(_ contributions: [RowSink.Contribution]) -> [RowSink.UniqueRow] {
        var sums: [[UInt8]: Accumulation] = [:]
        for row in contributions { sums[row.key, default: .zero] += row.amount }
        return sums.compactMap { key, sum in
            sum == .zero ? nil : RowSink.UniqueRow(key: key, value: sum.encoded())
        }
    }

    private func load(
        _ rows: [RowSink.UniqueRow], _ table: Table, _ generation: Generation, _ done: inout UInt64, _ total: UInt64,
        _ progress: (BuildProgress) -> Void
    ) throws {
        var start = 0
        while start < rows.count {
            let end = min(start + Self.rowsPerTransaction, rows.count)
            try generation.environment.write { transaction in
                for row in rows[start..<end] { try transaction.put(row.key, row.value, in: table, .atEnd) }
            }
            done += UInt64(end - start)
            progress(BuildProgress(stage: .loading, done: done, total: total))
            start = end
        }
    }

    /// Copies a table of another generation.
    static func copy(
        _ source: Table, _ transaction: borrowing ReadTransaction, to target: Table, _ generation: Generation
    ) throws {
        var cursor = try transaction.cursor(on: source)
        var row = try cursor.first()
        while row != nil {
            try generation.environment.write { transaction in
                var count = 0
                while let current = row, count < rowsPerTransaction {
                    try transaction.put(current.key, current.value, in: target, .atEnd)
                    count += 1
                    row = try cursor.next()
                }
            }
        }
    }
}
