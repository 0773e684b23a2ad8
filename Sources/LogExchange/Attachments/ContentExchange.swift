import EventLog
public import Events
import Platform

/// Moves the bytes of attachments between this side and a peer, after the commits that name them were exchanged: one
/// content after another, part by part, in memory of a few parts.
///
/// What was cut continues with the next exchange.
public struct ContentExchange: Sendable {
    private let local: FolderContents
    private let peer: any ContentPeer
    private let canStore: Bool
    private let wants: @Sendable (ContentID) -> Bool
    private let progress: @Sendable (ContentReport) -> Void

    /// `wants` decides which bytes are fetched that are not here. Without `canStore` nothing is sent.
    public init(
        _ folder: ContentFolder, with peer: any ContentPeer, canStore: Bool = true,
        wants: @escaping @Sendable (ContentID) -> Bool = { _ in true },
        progress: @escaping @Sendable (ContentReport) -> Void = { _ in }
    ) {
        local = FolderContents(folder)
        self.peer = peer
        self.canStore = canStore
        self.wants = wants
        self.progress = progress
    }

    /// Exchanges the bytes of some contents.
    ///
    /// A content that one side cannot read, sends wrongly or refuses is passed over, and named in the report. Throws what the carrier
    /// throws, `StorageError` (`.diskFull` among others), or `CancellationError`.
    public func run(_ contents: [NamedContent]) async throws -> ContentReport {
        var report = ContentReport()
        var (canStore, refusals) = (canStore, 0)
        for start in stride(from: 0, to: contents.count, by: ContentRequest.mostContents) {
            let batch = Array(contents[start..<min(start + ContentRequest.mostContents, contents.count)])
            let here = try await local.held(batch, keeping: false)
            let there: [Bool]
            do {
                there = try await peer.held(batch, keeping: false)
            } catch let error as ExchangeError where Self.isUnsupported(error) {
                report.isSupported = false
                return report
            } catch let error as ExchangeError where error.code == .refused {
                // It could not even look, so it is unknown which of the rest wait.
                report.refused.append(Self.refusal(error))
                report.unsettled += contents[start...]
                return report
            }
            for (content, (here, there)) in zip(batch, zip(here, there)) {
                try Task.checkCancellation()
                do {
                    switch (here, there) {
                    case (true, false):
                        if canStore {
                            try await send(content, &report)
                        } else if refusals > 0 {
                            report.wait(for: content)
                        } else {
                            report.unsettled.append(content)
                        }
                    case (false, true) where wants(content.content): try await fetch(content, &report)
                    case (false, false): report.lacking.append(content)
                    default: break
                    }
                } catch let error as ContentError {
                    report.wait(for: content, error)
                } catch let error as ExchangeError where error.code == .refused {
                    let refusal = Self.refusal(error, content.content)
                    report.wait(for: content, refusal)
                    if refusal.code == .busy { continue }
                    // A short one is refused after it was sent. A side that is full, or takes nothing from this one, is not sent all.
                    refusals += 1
                    if refusals == Self.mostRefusals { canStore = false }
                }
                progress(report)
            }
        }
        return report
    }

    private static func refusal(_ error: ExchangeError, _ content: ContentID? = nil) -> ContentError {
        let code: ContentError.Code =
            switch error.refusal {
            case ContentError.Code.busy.rawValue: .busy
            case SessionEvent.ownFault: .failed
            default: .refused
            }
        return ContentError(code, error.message, content)
    }

    /// After so many refusals nothing more is sent.
    private static let mostRefusals = 3

    /// A peer of an older version, or one without a folder.
    private static func isUnsupported(_ error: ExchangeError) -> Bool {
        error.refusal.map { ["newerVersion", "notAuthorized", "malformed"].contains($0) } ?? false
    }

    private func send(_ content: NamedContent, _ report: inout ContentReport) async throws {
        let count = content.content.partCount
        guard let outline = try await local.outline(of: content) else { return }
        var next = 0
        if count != 1 { next = try await peer.begin(content, outline) }
        while next < count {
            let index = next
            try await local.parts(index..<index + 1, of: content) { part in
                next = try await peer.store(part, at: index, of: content)
                report.sent.bytes += Int64(part.count)
            }
            progress(report)
        }
        report.sent.contents += 1
    }

    private func fetch(_ content: NamedContent, _ report: inout ContentReport) async throws {
        let known = ContentOutline(short: content.content)
        guard let outline = if let known { known } else { try await peer.outline(of: content) } else {
            report.lacking.append(content)
            return
        }
        let count = content.content.partCount
        var next = try await local.begin(content, outline)
        let first = next
        if first < count {
            try await peer.parts(first..<count, of: content) { part in
                _ = try await local.store(part, at: next, of: content)
                next += 1
                report.received.bytes += Int64(part.count)
                progress(report)
            }
        }
        guard next == count else {
            throw ExchangeError(
                .cut, "The other side sent \(next - first) parts of \(count - first). What came was kept; try again.")
        }
        report.received.contents += 1
    }
}

/// The result of an exchange of attachments' bytes.
public struct ContentReport: Sendable, Hashable {
    public struct Amount: Sendable, Hashable {
        public var contents: Int
        public var bytes: Int64

        package init(contents: Int = 0, bytes: Int64 = 0) {
            self.contents = contents
            self.bytes = bytes
        }
    }

    public var sent = Amount()
    public var received = Amount()
    /// Neither side has their bytes.
    package var lacking: [NamedContent] = []
    /// Why contents were passed over: wrong bytes, a damaged file, a refusal of the other, another process that stores the same bytes.
    public var refused: [ContentError] = []
    /// The attachments that were not exchanged for these reasons, with those that were not tried any more after some refusals. Without
    /// those that the other side could not look for: it may have them.
    package private(set) var waiting = Amount()
    /// Whether the other side exchanges attachments at all.
    package var isSupported = true
    /// What a later exchange has to look at again, besides `lacking`.
    package var unsettled: [NamedContent] = []

    package init() {}

    /// Notes that a content was not exchanged, and why, if it was tried.
    fileprivate mutating func wait(for content: NamedContent, _ error: ContentError? = nil) {
        if let error { refused.append(error) }
        unsettled.append(content)
        waiting.contents += 1
        waiting.bytes += content.content.size
    }

    /// Whether another exchange may succeed in a moment: the author of the bytes, or another exchange, is sending them, or the other side
    /// may have mended what was wrong there.
    package var mayComeSoon: Bool {
        !lacking.isEmpty || refused.contains { [.busy, .failed].contains($0.code) }
    }

    /// A sentence on what waits, if that is known, and why, which names the peer; nil if all was exchanged.
    package func shortcoming(with peer: String) -> String? {
        guard waiting.contents > 0 || !refused.isEmpty else { return nil }
        var reasons: [String] = []
        for error in refused where !reasons.contains(error.message) { reasons.append(error.message) }
        let rest = reasons.count - Self.mostReasons
        let more = rest > 0 ? " And \(rest.counted("more reason"))." : ""
        let amount =
            switch waiting.contents {
            case 0: "Attachments"
            case let count: "\(count.counted("attachment")) of \(waiting.bytes.counted("byte"))"
            }
        return
            "\(amount) could not be exchanged with \(peer). \(reasons.prefix(Self.mostReasons).joined(separator: " "))\(more)"
    }

    private static let mostReasons = 3
}
