public import Foundation
public import TripStore

/// The options of an import.
public struct ImportOptions: Sendable {
    /// The zone of trips whose items name none; nil for UTC.
    public var timeZone: TimeZone?
    /// Whether items are deleted that the file's trips have here and the file lacks.
    public var mirror: Bool
    /// The currency of the file's costs, which it does not name.
    public var currency: Currency
    /// Whether the file may be older than that of the last import: exported before it.
    public var isOlderAllowed: Bool
    /// Whether nothing is written: the report says what would be. Attachments are not looked at then.
    public var isDryRun: Bool

    public init(
        timeZone: TimeZone? = nil, mirror: Bool = false, currency: Currency = "USD", isOlderAllowed: Bool = false,
        isDryRun: Bool = false
    ) {
        self.timeZone = timeZone
        self.mirror = mirror
        self.currency = currency
        self.isOlderAllowed = isOlderAllowed
        self.isDryRun = isDryRun
    }
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The passes over the file.
    public enum Stage: String, Sendable {
        /// The whole file is checked; nothing is written yet.
        case checking
        /// Its records are written.
        case importing
        /// The bytes of its attachments are stored, and what they are is written.
        case attachments
    }

    public let stage: Stage
    /// Bytes of the file that the pass has read.
    public let bytesRead: Int64
    /// Bytes of the file.
    public let total: Int64
}
