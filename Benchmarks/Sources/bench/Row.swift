/// A line of the table of goals: some work of ours beside a peer's.
protocol Row: Sendable {
    /// A short name, for the command line.
    var name: String { get }
    /// The work, in words.
    var work: String { get }
    /// The peer, in words.
    var peer: String { get }
    /// Measures it in a directory of its own, and leaves nothing there that must stay.
    func run(in scratch: ScratchDirectory) async throws -> Outcome
}

/// All rows, in the order of the table.
enum Rows {
    static let all: [any Row] = [
        SmallCommitRow(), ManyTasksRow(), BulkAppendRow(), ScanRow(), RebuildRow(), VisibleRow(), CreateTripRow(),
        ImportRow(), ReadsRow(), ReadersRow(), JSONRow(), ExportRow(), ReplicaRow(), ExchangeRow(), LiveRow(),
        OpenRow(), BytesRow(), StatusRow(), RevocationRow(), OwnFieldsRow(), QueryRow(), IndexedQueryRow(), SearchRow(),
        HubRow(), BundleRow(), InspectRow(),
    ]

    static func named(_ name: String) throws -> any Row {
        guard let row = all.first(where: { $0.name == name }) else {
            throw BenchError("There is no row '\(name)'. 'bench list' names them.")
        }
        return row
    }
}

/// Why a row cannot be measured.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
