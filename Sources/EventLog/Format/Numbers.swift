/// The index of a commit in this log: 1, 2, 3… in order of local arrival. It means nothing on another replica.
public struct Position: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// Before the first commit.
    public static let start = Position(0)

    // Wraps, so that a damaged row cannot end the process; no log gets that far.
    package var next: Position { Position(rawValue &+ 1) }
    public var description: String { String(rawValue) }

    public static func < (a: Position, b: Position) -> Bool { a.rawValue < b.rawValue }
}

/// The number of a commit on its line: 1, 2, 3…, the same on every replica.
public struct SequenceNumber: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// Before the first commit of a line.
    package static let start = SequenceNumber(0)

    // Wraps, as that of positions.
    package var next: SequenceNumber { SequenceNumber(rawValue &+ 1) }
    public var description: String { String(rawValue) }

    public static func < (a: SequenceNumber, b: SequenceNumber) -> Bool { a.rawValue < b.rawValue }
}
