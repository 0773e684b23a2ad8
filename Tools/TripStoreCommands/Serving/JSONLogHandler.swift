import Foundation
import Logging
import Synchronization

/// Writes logs as lines of JSON, one object each, for programs that gather them.
///
/// Members: `time` (RFC 3339, UTC, milliseconds), `level`, `label`, `message`, `error` if there is one, and `metadata` unless it is
/// empty, whose values are texts, lists and objects. Long texts are cut.
struct JSONLogHandler: LogHandler {
    private static let longestText = 4096

    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    var logLevel = Logger.Level.info
    private let label: String
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// `write` is called with each line, its end included.
    init(
        label: String, now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void = { LogLines.standardError.write($0) }
    ) {
        self.label = label
        self.now = now
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        var members: [(String, JSON)] = [
            ("time", .string(Self.time(now()))), ("level", .string(event.level.rawValue)), ("label", .string(label)),
            ("message", Self.text("\(event.message)")),
        ]
        if let error = event.error { members.append(("error", Self.text("\(error)"))) }
        if !all.isEmpty { members.append(("metadata", Self.object(all))) }
        write(JSON.object(members).text + "\n")
    }

    private static func time(_ date: Date) -> String {
        date.formatted(
            .iso8601.year().month().day().time(includingFractionalSeconds: true).timeZone(separator: .omitted))
    }

    private static func text(_ text: String) -> JSON {
        guard text.utf8.count > longestText else { return .string(text) }
        return .string(String(decoding: Array(text.utf8.prefix(longestText)), as: UTF8.self) + "…")
    }

    private static func object(_ metadata: Logger.Metadata) -> JSON {
        .object(metadata.sorted { $0.key < $1.key }.map { ($0.key, value($0.value)) })
    }

    private static func value(_ value: Logger.Metadata.Value) -> JSON {
        switch value {
        case .string(let string): text(string)
        case .stringConvertible(let value): text("\(value)")
        case .dictionary(let metadata): object(metadata)
        case .array(let values): .array(values.map { Self.value($0) })
        }
    }
}

/// Lines to a file of the process, each whole.
final class LogLines: Sendable {
    static let standardError = LogLines(.standardError)

    private let file: Mutex<FileHandle>

    private init(_ file: FileHandle) { self.file = Mutex(file) }

    func write(_ line: String) {
        // A log that has no reader any more stops nothing.
        file.withLock { try? $0.write(contentsOf: Data(line.utf8)) }
    }
}
