import EventLog
import Events

/// The definition of a group of projections, and the folder of its generations.
public struct GroupConfiguration: Sendable {
    /// The group's name: that of its folder.
    public let name: String
    /// The folder that holds the generations.
    public let folder: String
    public let projections: [any Projection]
    /// Tells schemas by which the projections read entities from each other.
    public let schema: String
    /// The features of commits that this version reads: one that knows another builds the views again.
    package var features = CommitHeader.knownFeatures
    /// Bytes of address space to reserve for a generation.
    public var mapSize: Int
    /// The most bytes that decoded results may take in memory, by estimate.
    public var cacheLimit: Int
    /// The definitions of views that are attached to every generation: no part of the fingerprint, for they are made from the
    /// entities that a generation has.
    package var attached: [[UInt8]] = []
    /// Their rows are unique and come from entities.
    package var makeAttached: AttachedViews.Maker = { _ in (NoRows(), []) }

    public init(
        name: String, folder: String, projections: [any Projection], schema: String, mapSize: Int,
        cacheLimit: Int = 16 << 20
    ) {
        self.name = name
        self.folder = folder
        self.projections = projections
        self.schema = schema
        self.mapSize = mapSize
        self.cacheLimit = cacheLimit
    }

    /// The layout of the engine's own tables, of records and of sums.
    private static let engineVersion = 8

    /// Identifies everything that the rows depend on: a binary reads only generations with its own fingerprint.
    var fingerprint: String {
        var builder = DigestBuilder()
        builder.add(Array("engine \(Self.engineVersion) schema \(schema) features \(features)".utf8))
        for projection in projections {
            builder.add(
                Array(" \(projection.name) \(projection.version) \(projection.rowKind) \(projection.source)".utf8))
            if !projection.schema.isEmpty { builder.add(Array(" \(projection.schema)".utf8)) }
        }
        return builder.finish().bytes.prefix(8).hexadecimal
    }

    /// The name of the note in the log that names the serving generation.
    var pointer: String { "views/\(name)/\(fingerprint)" }

    func path(_ generation: String) -> String { "\(folder)/\(generation)" }

    /// Builds a generation with some views attached; nil for the group's.
    func builder(
        _ wanted: Set<Int>?, attaching attached: AttachedViews?,
        _ progress: @escaping @Sendable (BuildProgress) -> Void,
        _ cancellation: CancellationFlag
    ) -> Builder {
        var views = attached ?? AttachedViews(makeAttached)
        if attached == nil { _ = views.add(self.attached) }
        return Builder(
            projections: projections, attached: views, wanted: wanted, progress: progress, cancellation: cancellation)
    }

    /// Opens the generation in a folder. Blocks.
    func open(_ folder: GenerationFolder, for use: Generation.Use) throws -> Generation {
        try Generation(folder, projections: projections, for: use, mapSize: mapSize, attached: makeAttached)
    }
}

/// The rows of attached views that are not known.
private struct NoRows: Projection {
    let name = AttachedViews.name
    let version: UInt32 = 1
}
