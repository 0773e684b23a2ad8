public import EventLog
public import Events
public import Foundation
import Platform
import Synchronization

/// The bytes of attachments: a folder beside a log, with a file for each content, named by its root.
///
/// A file appears under its name only when it is whole and on the medium. What is being received lies in `incoming`, and
/// is continued after an interruption. Calls block: they are made on `worker`, or on a thread of the caller's.
public final class ContentFolder: Sendable {
    public let path: String
    private let thread = Mutex<WorkerThread?>(nil)

    /// How much of it there is, for servers.
    let room = AttachmentRoom()

    /// The unfinished contents with verified parts, for all senders of the process.
    let verified = Mutex<[ContentID: ContentIntake.Verified]>([:])

    /// The bytes that were stored for new attachments since the folder was opened, for people who wait.
    let stored = Atomic<Int64>(0)

    package var storedBytes: Int64 { stored.load(ordering: .relaxed) }

    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// The flag of the log beside it.
    private let suspension = Mutex<SuspensionFlag?>(nil)

    /// `now` is the time that files are given, milliseconds since 1970.
    public init(_ path: String, now: @escaping @Sendable () -> Int64) {
        self.path = path
        self.now = now
    }

    private struct Reference {
        weak var folder: ContentFolder?
    }

    private static let opened = Mutex<[String: Reference]>([:])

    /// The folder beside a store's log: one in this process, so that all connections share its thread and its count of bytes.
    public static func beside(_ log: Log) -> ContentFolder {
        let path = URL(fileURLWithPath: log.path).deletingLastPathComponent().appendingPathComponent("attachments").path
        return opened.withLock { opened in
            // Not the log, which the folder may outlive.
            let folder = opened[path]?.folder ?? ContentFolder(path, now: log.clock)
            opened = opened.filter { $0.value.folder != nil }
            opened[path] = Reference(folder: folder)
            folder.suspension.withLock { $0 = log.suspension }
            return folder
        }
    }

    /// Throws `StorageError.suspended` while the log is suspended: then nothing may be locked.
    func checkNotSuspended() throws(StorageError) { try suspension.withLock { $0 }?.check() }

    /// Returns when the call that is being made on `worker`, if there is one, has returned.
    package func awaitTurn() async {
        if let thread = thread.withLock({ $0 }) { try? await thread.run {} }
    }

    /// The thread for its calls, started when it is first used: most stores have no attachments.
    package var worker: WorkerThread {
        thread.withLock { thread in
            if let thread { return thread }
            let started = WorkerThread(name: "tripstore.attachments")
            thread = started
            return started
        }
    }

    /// Returns the URL of the file with a content's bytes, if they are here.
    public func url(of content: ContentID) -> URL { URL(fileURLWithPath: path(of: content)) }

    func path(of content: ContentID) -> String {
        let name = content.root.description
        return "\(path)/\(name.prefix(2))/\(name)"
    }

    /// A file that says since when another replica has relied on the bytes.
    func keptPath(of content: ContentID) -> String { path(of: content) + ".kept" }

    func outlinePath(of content: ContentID) -> String { path(of: content) + ".parts" }

    var incoming: String { path + "/incoming" }

    /// Where the parts of a content lie until it is whole.
    func incomingPath(of content: ContentID) -> String { "\(incoming)/\(content.incomingName)" }

    /// Whether the bytes are here: a whole file of the size. Its bytes are verified when they are read.
    ///
    /// Throws `StorageError` if the system does not say: bytes that cannot be looked for are not missing.
    public func holds(_ content: ContentID) throws -> Bool {
        guard let status = try Self.status(path(of: content)) else { return false }
        return status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) == content.size
    }

    /// The status of a file; nil if there is none. Throws `StorageError` if the system does not say.
    private static func status(_ path: String) throws(StorageError) -> stat? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            let number = errno
            if number == ENOENT || number == ENOTDIR { return nil }
            throw StorageError(number, "look for", path: path)
        }
        return status
    }

    /// The hashes of the parts; nil if the bytes are not here. O(parts) if they lie beside the bytes, O(bytes) otherwise.
    ///
    /// Throws `ContentError.damaged` if the bytes are not those of the content, or `StorageError`.
    public func outline(of content: ContentID) throws -> ContentOutline? {
        guard try holds(content) else { return nil }
        if let outline = ContentOutline(short: content) { return outline }
        if let outline = try writtenOutline(of: content) { return outline }
        guard let file = try ContentFile(path(of: content)) else { return nil }
        let leaves = try (0..<content.partCount).map { index in
            try file.read(content.size(ofPart: index), at: Int64(index) * Int64(ContentID.partSize))
                .withUnsafeBytes { ContentTree.leaf($0) }
        }
        guard let outline = ContentOutline(content, leaves: leaves) else { throw damaged(content) }
        return outline
    }

    private func writtenOutline(of content: ContentID) throws -> ContentOutline? {
        guard let file = try ContentFile(outlinePath(of: content)),
            file.size == Int64(content.partCount * Digest.size)
        else { return nil }
        let bytes = try file.read(Int(file.size), at: 0)
        guard bytes.count == Int(file.size) else { return nil }
        let leaves = bytes.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count, by: Digest.size).compactMap { Digest(raw.part($0..<$0 + Digest.size)) }
        }
        return ContentOutline(content, leaves: leaves)
    }

    /// Passes parts to `body`, each verified. Throws `ContentError`: `.missing`, `.damaged`; `StorageError`; or what `body`
    /// throws.
    public func read(_ parts: Range<Int>, of outline: ContentOutline, _ body: ([UInt8]) throws -> Void) throws {
        let content = outline.content
        guard let file = try ContentFile(path(of: content)) else { throw missing(content) }
        for index in parts.clamped(to: 0..<content.partCount) {
            let part = try file.read(content.size(ofPart: index), at: Int64(index) * Int64(ContentID.partSize))
            guard outline.verifies(part, at: index) else { throw damaged(content) }
            try body(part)
        }
    }

    func damaged(_ content: ContentID) -> ContentError {
        ContentError(
            .damaged,
            "The file \(path(of: content)) does not have the bytes of its name. Remove it, and exchange with healing with a replica that has them.",
            content)
    }

    func missing(_ content: ContentID) -> ContentError {
        ContentError(
            .missing, "The bytes of \(content), \(content.size), are not here. Exchange with a replica that has them.",
            content)
    }

    /// Every content that is here, and when its file was written. O(contents). Throws `StorageError` if a folder cannot be read, or a file in
    /// it cannot be looked for: it is not missing.
    public func contents() throws -> [(content: ContentID, added: Date)] {
        var found: [(content: ContentID, added: Date)] = []
        for folder in try Folder.names(in: path) where folder.count == 2 {
            for name in try Folder.names(in: "\(path)/\(folder)") {
                guard let root = Digest(name) else { continue }
                let file = "\(path)/\(folder)/\(name)"
                guard let version = FileVersion(path: file) else {
                    _ = try Self.status(file)
                    continue
                }
                guard let content = ContentID(root: root, size: version.size) else { continue }
                found.append((content, version.date))
            }
        }
        return found
    }
}

extension ContentID {
    /// The name of its file in `incoming`.
    var incomingName: String { "\(root).part" }
}

extension FileVersion {
    var date: Date { Date(timeIntervalSince1970: Double(modified) / 1_000_000_000) }
}
