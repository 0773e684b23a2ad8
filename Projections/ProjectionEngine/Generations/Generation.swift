import EventLog
import Events
import Foundation
import LMDB
import Synchronization

/// One built set of the views of a group: an environment in a folder of its own.
///
/// Rows, checkpoint and the changed keys are written in one transaction a batch. It is not synced: after a power cut
/// that may have torn it, it is discarded and rebuilt from the log.
final class Generation: Sendable {
    // Declared before the folder, so that it is closed while the folder is still in use.
    let environment: Environment
    let folder: GenerationFolder
    /// Entity → record, from which every projection is computed.
    let entities: Table
    /// The checkpoint, under `stateKey`, the row counts of the other parts, under `countsKey`, and the update that is needed to read all
    /// commits, under `neededUpdateKey`.
    let meta: Table
    /// Position at the end of a batch → the keys whose rows it changed.
    let changes: Table
    /// The tables of the projections, in their order.
    let views: [Table]
    /// The views' indexes among the projections, by name.
    let indexes: [String: Int]
    /// The views, as batches of commits change them.
    let maintained: [MaintainedView]
    /// The rows of the attached views.
    let attachedRows: Table
    let makeAttached: AttachedViews.Maker
    /// The last list of attached views that was read.
    let knownAttached = Mutex<(row: [UInt8], views: AttachedViews)?>(nil)
    /// The group that serves it, if one does.
    let group = WeakGroup()
    private let knownPosition = KnownPosition()
    /// The number of a transaction after which no update was needed to read all commits; -1 if none is known.
    let readableState = Atomic<Int>(-1)

    static let stateKey = Array("state".utf8)
    static let countsKey = Array("rows".utf8)
    /// The numbers of the parts in the file; views follow, in the order of their projections. The checkpoint lies right after the newest
    /// batch of changes: each batch writes both, and so copies the pages on the way to them once.
    static let (entitiesPart, changesPart, metaPart): (UInt8, UInt8, UInt8) = (0, 1, 2)

    /// After all views of a group: there are at most some dozens.
    static let attachedPart: UInt8 = 255

    static func part(ofView index: Int) -> UInt8 { UInt8(3 + index) }

    /// The name of the entities among the views.
    static let entitiesName = "entities"

    /// The purpose for which a generation is opened.
    enum Use {
        case reading
        /// Reads, and updates commit by commit.
        case serving
    }

    /// Opens a built generation in a folder. Blocks.
    init(
        _ folder: GenerationFolder, projections: [any Projection], for use: Use, mapSize: Int,
        attached makeAttached: @escaping AttachedViews.Maker
    ) throws {
        self.folder = folder
        self.makeAttached = makeAttached
        environment = try Environment.open(
            at: folder.path,
            options: Environment.Options(
                use == .reading ? .reading : .writing, durability: .unsynced, mapSize: mapSize, maxTables: 0))
        // Another user of this process may have suspended it, and still refer to it.
        try environment.resume()
        let own = [Self.entitiesName, "changes", "meta"] + projections.map(\.name)
        let unused = (own.count..<max(own.count, Int(Self.attachedPart))).map { "unused-\($0)" }
        let tables = try environment.parts(own + unused + [AttachedViews.name])
        entities = tables[0]
        changes = tables[1]
        meta = tables[2]
        views = Array(tables[3..<own.count])
        maintained = zip(projections.indices, zip(projections, views)).map { index, view in
            MaintainedView(view.0, view.1, part: Generation.part(ofView: index))
        }
        attachedRows = tables[tables.count - 1]
        indexes = Dictionary(
            projections.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func checkpoint(_ transaction: borrowing ReadTransaction) throws -> Checkpoint {
        guard let checkpoint = try transaction.get(Self.stateKey, in: meta).flatMap({ Checkpoint($0) }) else {
            throw ProjectionError.damaged("the checkpoint")
        }
        return checkpoint
    }

    /// The position of the views in a snapshot; nil if another generation has replaced this one.
    ///
    /// Not for a write transaction, whose state changes under one number.
    func servedPosition(_ snapshot: borrowing ReadTransaction) throws -> Position? {
        let number = snapshot.isNumberExact ? snapshot.number : nil
        if let number, let position = knownPosition.value(at: number) { return position }
        let checkpoint = try checkpoint(snapshot)
        guard !checkpoint.isRetired else { return nil }
        if let number { knownPosition.note(checkpoint.position, at: number) }
        return checkpoint.position
    }

    func setCheckpoint(_ checkpoint: Checkpoint, _ transaction: borrowing WriteTransaction) throws {
        try transaction.put(Self.stateKey, checkpoint.encoded(), in: meta)
    }

    /// The row counts of the parts.
    func rowCounts(_ transaction: borrowing ReadTransaction) throws -> RowCounts {
        RowCounts(try transaction.get(Self.countsKey, in: meta), parts: views.count + 3)
    }

    func setRowCounts(_ counts: RowCounts, _ transaction: borrowing WriteTransaction) throws {
        try transaction.put(Self.countsKey, counts.encoded, in: meta)
    }

    /// Makes readers, of other processes too, switch to the generation that replaced this one.
    func retire() throws {
        try environment.write { transaction in
            var checkpoint = try checkpoint(transaction.reading)
            checkpoint.isRetired = true
            try setCheckpoint(checkpoint, transaction)
        }
    }
}
