public import Foundation

/// The result of the first pass over an export: what stands outside the trips, and how many trips there are.
///
/// Its memory grows with the organizations, the addresses and the problems of the file, never with its trips or its
/// attachments.
public struct ExportSummary: Sendable, Hashable {
    /// The export's own description.
    public let info: ExportInfo
    /// The usable organizations in file order. The one named "None", which the app writes to stand for no organization,
    /// is included like any other: the caller decides what it means.
    public let organizations: [ExportedOrganization]
    /// The usable addresses in the order of the file.
    public let addresses: [ExportedAddress]
    /// The usable trips: as many as the second pass returns.
    public let tripCount: Int
    /// The usable items of the usable trips.
    public let itemCount: Int
    /// The attachments in the file; their contents are checked as JSON and not kept.
    public let attachmentCount: Int
    /// Unusable records: organizations, addresses and whole trips. Those inside a usable trip are in
    /// ``ExportedTrip/problems``.
    public let problems: [ExportProblem]
    /// Known keys that an object has again: the last one counts. At most 100 of them.
    public let repetitions: [ExportProblem]
}

/// The export's own description in `exportInfo`.
public struct ExportInfo: Sendable, Hashable {
    /// The version of the format, such as `1.0`; empty when the file gives none. Its major is always 1.
    public let version: String
    /// When the export was made; nil when the file does not say.
    public let timestamp: Date?
    /// The program that wrote the file, under the key `exportedBy` that the app does not know; nil for the app's own
    /// files.
    public let exporter: String?
    /// Which store's trips they are, under the key `exportedFrom` that the app does not know: the id that all replicas of a store share.
    public let store: UUID?

    /// Makes it from its parts.
    public init(version: String, timestamp: Date?, exporter: String? = nil, store: UUID? = nil) {
        self.version = version
        self.timestamp = timestamp
        self.exporter = exporter
        self.store = store
    }
}
