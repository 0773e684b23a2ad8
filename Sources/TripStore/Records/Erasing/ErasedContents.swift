import EventLog
import Events
import Foundation
import LogExchange
import Logging
import Synchronization

/// Contents whose bytes are given up once no stored event names them any more: a note beside the log, so that a crash
/// forgets none. It keeps those of hidden events, and others until the log was read for them once.
struct ErasedContents {
    private static let note = "erased-contents"
    private static let entrySize = ContentID.encodedSize + 8

    /// Each with the time of the erasure, in milliseconds since 1970: bytes that were stored since stay.
    private(set) var times: [ContentID: Int64] = [:]

    /// Reads the note. Throws what reading the log throws.
    init(_ log: Log) throws {
        let bytes = try log.note(Self.note) ?? []
        for start in stride(from: 0, to: bytes.count - bytes.count % Self.entrySize, by: Self.entrySize) {
            let entry = bytes[start..<start + Self.entrySize]
            let content = Array(entry.prefix(ContentID.encodedSize)).withUnsafeBytes { ContentID($0) }
            let time = entry.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            if let content { times[content] = Int64(bitPattern: time) }
        }
    }

    mutating func add(_ contents: some Sequence<ContentID>, at time: Int64) {
        for content in contents { times[content] = time }
    }

    /// The contents that hidden events name, which are here until they are removed.
    static func hidden(in log: Log) throws -> Set<ContentID> {
        let now = log.wallClock
        return try log.read { log in
            let journal = try log.journal()
            var found: Set<ContentID> = []
            for stated in try log.statedErasures(at: now) {
                guard case .pending = stated.state, let position = try log.position(of: stated.commit, in: journal),
                    let commit = try log.storedCommit(at: position)
                else { continue }
                AttachmentNames.forEach(in: commit, all: true) { _, change in
                    if let content = change.content, stated.leaves.contains(event: change.event) {
                        found.insert(content)
                    }
                }
            }
            return found
        }
    }

    mutating func remove(_ contents: some Sequence<ContentID>) {
        for content in contents { times[content] = nil }
    }

    /// Blocks: on the log's thread.
    func write(to log: Log) throws {
        let entries = times.sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }
        let bytes = entries.flatMap { $0.key.bytes + UInt64(bitPattern: $0.value).bigEndianBytes }
        try log.setNote(Self.note, bytes.isEmpty ? nil : bytes)
    }
}

extension TripStore {
    /// Notes contents before the events that name them are erased, and returns the time, in milliseconds since 1970.
    @discardableResult
    func noteErased(_ contents: [ContentID]) async throws -> Int64 {
        let time = log.wallClock
        guard !contents.isEmpty else { return time }
        try await log.worker.run { [log] in
            var erased = try ErasedContents(log)
            erased.add(contents, at: time)
            try erased.write(to: log)
        }
        return time
    }

    /// Removes what is due: hidden events, and contents that only erased events named, some of which may not be noted.
    /// Those were erased at a time, in milliseconds since 1970, or now: bytes that were stored since stay, for an event
    /// that is to name them. O(log) after such an event was removed or taken back, else O(pending erasures).
    func finishErasures(of contents: [ContentID] = [], erasedAt time: Int64? = nil) async throws {
        guard !isReadOnly else { return }
        let stated = try log.erasingTokens()
        try await removeErased(of: contents, at: time ?? log.wallClock)
        let next = try log.nextRemoval() ?? .max
        erasingUpkeep.withLock { $0 = ErasingUpkeep(stated: stated, next: next) }
    }

    private func removeErased(of contents: [ContentID], at time: Int64) async throws {
        // Others' erasures are met here first while they are pending.
        let met = try ErasedContents.hidden(in: log).subtracting(ErasedContents(log).times.keys)
        try await noteErased(Array(met))
        _ = try await log.removeDue()
        var erased = try ErasedContents(log)
        erased.add(contents, at: time)
        // A hidden event is stored, and its bytes are shown again if it is taken back.
        erased.remove(try ErasedContents.hidden(in: log))
        let times = erased.times
        guard !times.isEmpty else { return }
        try await contentFolder.worker.run { [contentFolder, log] in
            let named = try NamedAttachments.everNamed(in: log)
            for (content, time) in times where !named.contains(content) {
                // A time has the precision of milliseconds, and a file's less.
                let limit = Date(timeIntervalSince1970: (Double(time) + 1) / 1000)
                try contentFolder.erase(content, writtenBefore: limit)
            }
        }
        // A named content is shown: its erasure was taken back, or was only planned.
        try await log.worker.run { [log] in
            var erased = try ErasedContents(log)
            erased.remove(times.keys)
            try erased.write(to: log)
        }
    }

    /// Finishes erasures that a crash or another process left; what fails is tried the next time. An opening also sweeps:
    /// the last visitor may have brought late events.
    func finishErasuresIfPossible(sweeps: Bool = false) async {
        do {
            try await finishErasures()
            if sweeps { try await log.sweep() }
        } catch {
            logger.notice("erased bytes could not be removed yet", metadata: ["error": "\(error)"])
        }
    }
}

/// When a store that stays open is next to remove erased bytes. No timer runs: the next write, or the next `catchUp`, does it.
struct ErasingUpkeep {
    /// The state of the statements when it was last done; nil if there were none.
    var stated: [UInt8]?
    /// Milliseconds since 1970.
    var next = Int64.max

    /// What fails is tried again so many milliseconds later: an hour.
    private static let pause: Int64 = 3_600_000

    /// Whether something has become due since it was last done or, if it is known what is stated now, something else is
    /// stated. One caller gets true, and does it. O(1); reads no clock where nothing is to come.
    mutating func begins(at time: @autoclosure () -> Int64, stated: [UInt8]?? = .none) -> Bool {
        let isStatedAnew = stated.map { $0 != self.stated } ?? false
        guard isStatedAnew || next < .max else { return false }
        let now = time()
        guard isStatedAnew || next <= now else { return false }
        (self.stated, next) = (stated ?? self.stated, max(now, now &+ Self.pause))
        return true
    }
}
