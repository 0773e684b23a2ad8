public import Events

/// Commits whose events count, and which have a feature that this version does not know: it keeps and forwards them, and no view shows
/// what they say. Every view may lack something, because nothing tells what they concern. An update of the program shows them.
public struct NeededUpdate: Hashable, Sendable {
    /// The number of these commits.
    public private(set) var commits: UInt64
    /// The features that this version does not know, a bit each.
    package private(set) var features: UInt32
    /// The newest version that they name; nil if none of them names one.
    public private(set) var version: NeededVersion?
    /// The replicas that wrote them, in order: the first `mostReplicas`, if there are more.
    public private(set) var replicas: [ReplicaID]

    /// The most replicas that are named, so that the size is bounded in a journal of any number of members.
    package static let mostReplicas = 8

    private init(commits: UInt64, features: UInt32, version: NeededVersion?, replicas: [ReplicaID]) {
        self.commits = commits
        self.features = features
        self.version = version
        self.replicas = replicas
    }

    /// The update that one commit needs, by its header; nil if this version knows all of its features. Then it makes no difference
    /// which version the header names.
    package init?(_ header: CommitHeader) {
        guard !header.isUnderstood else { return nil }
        self.init(
            commits: 1, features: header.features & ~CommitHeader.knownFeatures, version: header.needs,
            replicas: [header.replica])
    }

    /// The update that these commits and others need together: the same in whatever order commits are added.
    package func adding(_ other: NeededUpdate) -> NeededUpdate {
        let named = Set(replicas).union(other.replicas).sorted().prefix(Self.mostReplicas)
        return NeededUpdate(
            commits: commits &+ other.commits, features: features | other.features,
            version: [version, other.version].compactMap { $0 }.max(), replicas: Array(named))
    }

    /// The row of views that stores it: 1 = commits, 2 = features, 3 = version, 4 = a replica, repeated.
    package func encoded() -> [UInt8] {
        var writer = WireWriter()
        writer.varint(1, commits)
        writer.varint(2, UInt64(features))
        if let version { writer.varint(3, version.rawValue) }
        for replica in replicas { writer.bytes(4, replica.bytes) }
        return writer.finish()
    }

    /// Throws `WireError` if the bytes are no such row.
    package init(_ bytes: UnsafeRawBufferPointer) throws(WireError) {
        self.init(commits: 0, features: 0, version: nil, replicas: [])
        var reader = WireReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: commits = try reader.varint(field)
            case 2: features = try reader.uint32(field)
            case 3: version = NeededVersion(rawValue: try reader.varint(field))
            case 4: if let replica = ReplicaID(try reader.bytes(field, count: 16)) { replicas.append(replica) }
            default: try reader.skip(field)
            }
        }
    }
}

extension StoredCommit {
    /// The update that the commit needs; nil if this version reads it, if its events do not count, or if nothing of it is left.
    package var neededUpdate: NeededUpdate? {
        counts && !header.isUnderstood && view.hasLeaves ? NeededUpdate(header) : nil
    }
}

/// The version of the program that first reads what a commit says, as its author names it.
///
/// A number and not a text, because it comes from others and is shown: every value is well-formed, has one form in text, and can be
/// compared.
public struct NeededVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Major ‖ minor ‖ patch, of 32, 16 and 16 bits; not 0.
    public let rawValue: UInt64

    /// Nil for 0, which names no version.
    public init?(rawValue: UInt64) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    public static func < (a: NeededVersion, b: NeededVersion) -> Bool { a.rawValue < b.rawValue }

    /// The version as in `2.1`, and with a patch as in `2.1.3`.
    public var description: String {
        let (major, minor, patch) = (rawValue >> 32, rawValue >> 16 & 0xFFFF, rawValue & 0xFFFF)
        return patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }
}
