import EventLog
import Events
public import Foundation
public import LogExchange

extension TripStore {
    /// Writes a bundle file, whole or not at all.
    ///
    /// It takes the place of nothing, of a bundle, or, with `replacingOtherFiles`, of any regular file. A symbolic link stays, and
    /// the file that it leads to is written. Folders, devices, pipes and places in a store are refused.
    ///
    /// It is packed by the best algorithm of this system (`Compression.available`) unless another one is named: zlib or none for a
    /// reader without libzstd, as most Macs are.
    ///
    /// With `attachments` it has the bytes that its commits name too, as far as they are here: those of attachments that were discarded,
    /// or that nothing has named for 30 days, are left out. A file of them that was altered is left out and named in the summary.
    ///
    /// Throws `TripStoreError` (`.unusableFile`, `.unknownReplica`, `.unavailableCompression`), or what reading the log throws.
    @discardableResult
    public func write(
        bundle file: URL, for audience: BundleAudience = .anyone, attachments: Bool = false,
        compression: Compression? = nil, replacingOtherFiles: Bool = false
    ) async throws -> BundleSummary {
        try await TripStoreError.wrapAsync {
            let since = try held(by: audience)
            return try await BundleWriter.write(
                log, lacking: since, attachments: attachments ? try await bundledAttachments(lackedBy: since) : nil,
                to: file,
                compression: compression, replacingOtherFiles: replacingOtherFiles)
        }
    }

    /// Writes a bundle to a stream, as to a pipe: its bytes in order, on one thread. A reader finds out whether it got all of them.
    ///
    /// Throws `TripStoreError` (`.unknownReplica`, `.unavailableCompression`), what the stream throws, or what reading the log throws.
    @discardableResult
    public func write(
        bundleTo stream: @escaping @Sendable ([UInt8]) throws -> Void, for audience: BundleAudience = .anyone,
        attachments: Bool = false, compression: Compression? = nil
    ) async throws -> BundleSummary {
        try await TripStoreError.wrapAsync {
            let since = try held(by: audience)
            return try await BundleWriter.write(
                log, lacking: since, attachments: attachments ? try await bundledAttachments(lackedBy: since) : nil,
                compression: compression, to: stream)
        }
    }

    /// What the readers of a bundle hold already.
    private func held(by audience: BundleAudience) throws -> Frontier {
        switch audience {
        case .anyone: return .empty
        case .holder(let frontier): return frontier
        case .replica(let replica):
            guard let record = try PeerBook(log).record(of: replica) else {
                let known = try PeerBook(log).records().map { "\($0.replica)" }.joined(separator: ", ")
                throw TripStoreError(
                    .unknownReplica,
                    "Nothing is known of replica \(replica): no exchange with it took place. "
                        + (known.isEmpty ? "Write a complete bundle." : "Known are \(known)."))
            }
            return record.acknowledged
        }
    }

    /// The contents of a bundle file, after its checksum was verified.
    public static func summary(ofBundle file: URL) async throws -> BundleSummary {
        try await TripStoreError.wrapAsync { try await BundlePeer(file).summary }
    }

    /// The commits that this store holds and can forward, its own line signed to its end.
    public func frontier() async throws -> Frontier {
        try await TripStoreError.wrapAsync {
            try await log.signHead()
            return try log.read { try Frontier($0) }
        }
    }

    /// The commits that this store held when the one at a position had come. O(commits up to there).
    ///
    /// A bundle for a holder of it has what came here since. Throws `TripStoreError.Code.unknownPosition` if the log does not reach so far.
    package func frontier(at position: Position) throws -> Frontier {
        try TripStoreError.wrap {
            try TripStore.check(.position(position), in: log)
            return try log.read { try Frontier($0, at: position) }
        }
    }

    /// From the text that `Frontier.text` is, or with the hashes left out. Throws `TripStoreError.Code.invalidFrontier`.
    public func frontier(_ text: String) throws -> Frontier {
        // The empty frontier has an empty text.
        if text.isEmpty { return .empty }
        return try readLog { try Frontier(text, in: $0) }
    }

    /// The heads of a frontier that this store does not hold; empty if it holds all that the frontier names. O(lines).
    package func lacking(_ frontier: Frontier) throws -> [CommitID] {
        try readLog { log in
            let journal = try log.journal()
            guard frontier.journal == nil || frontier.journal == journal else { return frontier.heads }
            return try frontier.heads.filter { try !log.holds($0, in: journal) }
        }
    }
}
