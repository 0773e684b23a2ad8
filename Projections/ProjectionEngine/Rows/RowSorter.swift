import Events

/// Collects the rows of one view in any order, and returns them in key order.
///
/// Rows that do not fit into memory lie in a scratch file, in sorted runs that are merged at the end. Contributions to
/// one accumulating row are summed up.
struct RowSorter: Sendable {
    let projection: any Projection
    /// The view's index among the projections.
    let view: Int
    /// The rows since the last run.
    var sink = RowSink()
    private let folder: String
    let isAccumulating: Bool
    /// The most memory that rows take before they are written to the file.
    private let memoryLimit: Int
    private var file: ScratchFile?
    private var written: [Range<Int>] = []

    /// `folder` is where a scratch file may be made; `memoryLimit` is in bytes.
    init(_ projection: any Projection, view: Int = 0, folder: String, memoryLimit: Int = 2 << 20) {
        self.projection = projection
        self.view = view
        self.memoryLimit = memoryLimit
        self.folder = folder
        isAccumulating = projection.rowKind == .accumulating
    }

    /// Spills to the file if memory is full. Throws `ProjectionError` and `ProjectionFault`.
    @inline(__always)
    mutating func spillIfFull() throws {
        if sink.size > memoryLimit { try spill() }
    }

    private mutating func spill() throws {
        try consolidate()
        // A run is written only if the sums still fill the memory, or the same sums would be written again and again.
        guard sink.size > memoryLimit / 2 else { return }
        let file = if let file { file } else { try ScratchFile(in: folder) }
        self.file = file
        written.append(try RowRun.encode(sink).withUnsafeBytes { try file.append($0) })
        sink.removeAll()
    }

    /// Sorts the rows in memory and sums up those with one key.
    private mutating func consolidate() throws {
        sink.sort()
        if isAccumulating {
            try sink.sumUp()
        } else if let row = sink.firstDuplicate() {
            throw ProjectionFault.sharedKey(sink.key(row), view: projection.name, nil)
        }
    }

    /// Ends the collection: passes all rows to `body`, in one sink or several, in key order. The body may take a sink
    /// and leave another. Merged sinks have at most `chunkSize` rows, and at most as many as fit into the sorter's
    /// memory.
    mutating func drain(chunkSize: Int, _ body: (inout RowSink) throws -> Void) throws {
        var sorters = [self]
        try Self.drain(&sorters, chunkSize: chunkSize, body)
        self = sorters[0]
    }

    /// The same for sorters of one view, among which the rows were divided.
    static func drain(
        _ sorters: inout [RowSorter], chunkSize: Int, _ body: (inout RowSink) throws -> Void
    ) throws {
        for index in sorters.indices { try sorters[index].consolidate() }
        let filled = sorters.indices.filter { !sorters[$0].sink.isEmpty || sorters[$0].file != nil }
        guard let first = filled.first else { return }
        if filled.count == 1, sorters[first].file == nil {
            return try body(&sorters[first].sink)
        }
        var runs: [[UInt8]] = []
        for index in filled {
            runs.append(RowRun.encode(sorters[index].sink))
            sorters[index].sink = RowSink()
        }
        let rest = RowRuns(runs)
        var parts = rest.parts
        for index in filled {
            let contents = try sorters[index].file?.contents()
            if let contents { parts += sorters[index].written.map { contents.part($0) } }
        }
        // The files are the runs' memory.
        try withExtendedLifetime((sorters, rest)) {
            var chunk = RowSink()
            var merge = RowMerge(parts)
            let sorter = sorters[first]
            while let row = merge.next() { try sorter.add(row, to: &chunk, chunkSize, body) }
            try body(&chunk)
        }
        for index in filled { sorters[index].forget() }
    }

    private mutating func forget() {
        written = []
        file = nil
    }

    private func add(
        _ row: RowRun.Row, to chunk: inout RowSink, _ chunkSize: Int, _ body: (inout RowSink) throws -> Void
    ) throws {
        if let last = chunk.rows.last, chunk.withRow(last, { key, _ in key.equals(row.key) }) {
            guard isAccumulating else {
                throw ProjectionFault.sharedKey([UInt8](row.key), view: projection.name, nil)
            }
            try chunk.addToLast(row.value)
            return
        }
        if chunk.rows.count >= chunkSize || chunk.size >= memoryLimit {
            try body(&chunk)
            chunk.removeAll()
        }
        chunk.copy(row.key, row.value)
    }
}
