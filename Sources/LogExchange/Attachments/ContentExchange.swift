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
            }
            for (content, (here, there)) in zip(batch, zip(here, there)) {
                try Task.checkCancellation()
                do {
                    switch (here, there) {
                    case (true, false):
                        if canStore { try await send(content, &report) } else { report.unsettled.append(content) }
                    case (false, true) where wants(content.content): try await fetch(content, &report)
                    case (false, false): report.lacking.append(content)
                    default: break
                    }
                } catch let error as ContentError {
                    report.refused.append(error)
                    report.unsettled.append(content)
                } catch let error as ExchangeError where error.refusal == ContentError.Code.busy.rawValue {
                    report.refused.append(ContentError(.busy, error.message, content.content))
                    report.unsettled.append(content)
                } catch let error as ExchangeError where error.code == .refused {
                    report.refused.append(ContentError(.refused, error.message, content.content))
                    report.unsettled.append(content)
                    // A short one is refused after it was sent. A side that is full, or takes nothing from this one, is not sent all.
                    refusals += 1
                    if refusals == Self.mostRefusals { canStore = false }
                }
                progress(report)
            }
        }
        return report
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

/// What came of an exchange of attachments' bytes.
public struct ContentReport: Sendable, Hashable {
    public struct Amount: Sendable, Hashable {
        public var contents = 0
        public var bytes: Int64 = 0
    }

    public var sent = Amount()
    public var received = Amount()
    /// Neither side has their bytes.
    public var lacking: [NamedContent] = []
    /// Why contents were passed over: wrong bytes, a damaged file, a refusal of the other, another process that stores the same bytes.
    public var refused: [ContentError] = []
    /// Whether the other side exchanges attachments at all.
    public var isSupported = true
    /// What a later exchange has to look at again, besides `lacking`.
    package var unsettled: [NamedContent] = []

    public init() {}

    /// Whether another exchange may find bytes in a moment: their author, or another exchange, is sending them.
    package var mayComeSoon: Bool { !lacking.isEmpty || refused.contains { $0.code == .busy } }
}
