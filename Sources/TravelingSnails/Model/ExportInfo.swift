public import Foundation

/// The export's own description in `exportInfo`.
public struct ExportInfo: Sendable, Hashable {
    /// The version of the format, such as `1.0`; empty when the file gives none. Its major is always 1.
    public let version: String
    /// When the export was made; nil when the file does not say.
    public let timestamp: Date?
    /// What wrote the file, under the key `exportedBy` that the app does not know; nil for the app's own files.
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
