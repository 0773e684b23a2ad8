import EventLog
public import Events
public import Foundation
import LogExchange
import Platform
public import Trips

extension TripStore {
    // MARK: Writing

    /// Attaches a file to an entity: its bytes are copied, once for each content, and a commit says what it is.
    ///
    /// Memory holds about 1 MiB, whatever the file's size. The bytes are on the medium before the commit is.
    ///
    /// Throws `TripStoreError` (`.missing` if there is no such file, `.attachmentTooLarge` beyond 64 GiB, `.diskFull`, `.appendIDUnusable`
    /// for an append id, as another attempt would make another id, and what `create` throws); then no commit was written.
    @discardableResult
    public func attach<Entity: TripEntity>(
        _ file: URL, to owner: Identifier<Entity>, as name: String? = nil, mediaType: String? = nil,
        caption: String = "", thumbnail: Data? = nil, by authorship: Authorship = Authorship()
    ) async throws -> AttachedFile.ID {
        try await attach(
            file, to: owner.reference, as: name, mediaType: mediaType, caption: caption, thumbnail: thumbnail,
            by: authorship)
    }

    /// Attaches a file to an owner of any kind: its bytes are copied, once for each content, and a commit says what it is.
    @discardableResult
    public func attach(
        _ file: URL, to owner: EntityReference, as name: String? = nil, mediaType: String? = nil, caption: String = "",
        thumbnail: Data? = nil, by authorship: Authorship = Authorship()
    ) async throws -> AttachedFile.ID {
        try refuseAppendID(authorship, whereIDsAreMadeBy: "an attachment")
        let content = try await store(file)
        return try await create(
            Self.attachment(content, to: owner, name ?? file.lastPathComponent, mediaType, caption, thumbnail),
            by: authorship)
    }

    /// Attaches several files by one commit: all or none. Throws as for one.
    @discardableResult
    public func attach(
        _ files: [URL], to owner: EntityReference, mediaType: String? = nil, caption: String = "",
        by authorship: Authorship = Authorship()
    ) async throws -> [AttachedFile.ID] {
        try refuseAppendID(authorship, whereIDsAreMadeBy: "an attachment")
        var attachments: [AttachedFile] = []
        for file in files {
            attachments.append(
                Self.attachment(try await store(file), to: owner, file.lastPathComponent, mediaType, caption, nil))
        }
        try await append(attachments.map { .created($0) }, by: authorship)
        return attachments.map(\.id)
    }

    /// Attaches bytes that are in memory. Throws as `attach(_:to:)` with a file does.
    @discardableResult
    public func attach(
        _ bytes: Data, to owner: EntityReference, as name: String, mediaType: String? = nil, caption: String = "",
        thumbnail: Data? = nil, by authorship: Authorship = Authorship()
    ) async throws -> AttachedFile.ID {
        try refuseAppendID(authorship, whereIDsAreMadeBy: "an attachment")
        let content = try await store(bytes)
        return try await create(
            Self.attachment(content, to: owner, name, mediaType, caption, thumbnail), by: authorship)
    }

    private static func attachment(
        _ content: ContentID, to owner: EntityReference, _ name: String, _ mediaType: String?, _ caption: String,
        _ thumbnail: Data?
    ) -> AttachedFile {
        AttachedFile(
            name: name, of: owner, content: content, mediaType: mediaType ?? MediaTypes.type(of: name),
            caption: caption,
            thumbnail: thumbnail)
    }

    private func store(_ file: URL) async throws -> ContentID {
        try await storing { [contentFolder] in try contentFolder.add(file: file.path) }
    }

    /// Stores bytes that an event is about to name.
    func store(_ bytes: Data) async throws -> ContentID {
        try await storing { [contentFolder] in
            var rest = bytes[...]
            return try contentFolder.add {
                guard !rest.isEmpty else { return nil }
                defer { rest = rest.dropFirst(ContentID.partSize) }
                return [UInt8](rest.prefix(ContentID.partSize))
            }
        }
    }

    /// Stores the bytes that `next` returns, until it returns none, for an event that is about to name them. It blocks.
    package func addContent(_ next: () throws -> [UInt8]?) throws -> ContentID { try contentFolder.add(next) }

    private func storing(_ body: @escaping @Sendable () throws -> ContentID) async throws -> ContentID {
        guard !isReadOnly else {
            throw TripStoreError(.readOnly, "The store is open for reading alone. Open it for writing to attach files.")
        }
        return try await TripStoreError.wrapAsync { try await contentFolder.worker.run(body) }
    }

    // MARK: Reading

    /// The attachments of an entity, in the order of their creation. O(attachments there).
    public func attachments<Entity: TripEntity>(of owner: Identifier<Entity>) throws -> [AttachedFile] {
        try read { try $0.entities(AttachedFile.self, in: owner).rows }
    }

    /// Returns the availability of an attachment's bytes in this store.
    public func state(of attachment: AttachedFile) -> AttachmentState {
        guard let content = attachment.content else { return .none }
        // The bytes may still lie there: another attachment names them, or no exchange has removed them yet.
        if let date = attachment.discardedAt { return .discarded(date) }
        do { return try contentFolder.holds(content) ? .here(contentFolder.url(of: content)) : .missing } catch {
            return .unreadable(error.systemText)
        }
    }

    /// Passes the bytes of an attachment to `body`, in parts of 1 MiB, each verified against the hash that the events name.
    ///
    /// Throws `TripStoreError` (`.missingContent` if they are not here, `.damagedContent` if the file was altered, `.inputOutput`),
    /// or what `body` throws.
    public func withBytes(of attachment: AttachedFile, _ body: ([UInt8]) async throws -> Void) async throws {
        let (content, outline) = try await outline(of: attachment)
        for index in 0..<content.partCount {
            let part = try await part(index, of: outline)
            try await body(part)
        }
    }

    /// All bytes of an attachment, in memory. Throws as `withBytes(of:_:)` does.
    public func data(of attachment: AttachedFile) async throws -> Data {
        var data = Data()
        try await withBytes(of: attachment) { data.append(contentsOf: $0) }
        return data
    }

    /// Writes the bytes of an attachment to a file, whole or not at all, each part verified.
    ///
    /// A file that is there is replaced only with `replacing`. Throws `TripStoreError`: `.fileExists`, `.missingContent`,
    /// `.damagedContent`, `.unusableFile`, `.diskFull`.
    public func save(_ attachment: AttachedFile, to file: URL, replacing: Bool = false) async throws {
        let (content, outline) = try await outline(of: attachment)
        try await TripStoreError.wrapAsync {
            try await contentFolder.worker.run { [contentFolder] in
                let destination = try OutputDestination(
                    file.path, replacing: replacing ? .anyFile : .nothing)
                let output = try OutputFile(at: destination, isPrivate: false)
                do {
                    try contentFolder.read(0..<content.partCount, of: outline) { try output.write($0) }
                    try output.finish()
                } catch {
                    output.discard()
                    throw error
                }
            }
        }
    }

    private func outline(of attachment: AttachedFile) async throws -> (ContentID, ContentOutline) {
        guard let content = attachment.content else {
            throw TripStoreError(
                .missingContent, "The attachment '\(attachment.name)' names no bytes.", entity: attachment.reference)
        }
        if let date = attachment.discardedAt {
            throw TripStoreError(
                .missingContent,
                "The bytes of '\(attachment.name)', \(content.size), were given up for ever at \(date).",
                entity: attachment.reference)
        }
        let outline = try await TripStoreError.wrapAsync {
            try await contentFolder.worker.run { [contentFolder] in try contentFolder.outline(of: content) }
        }
        guard let outline else {
            throw TripStoreError(
                .missingContent,
                "The bytes of '\(attachment.name)', \(content.size), are not here. Exchange with a replica that has them, with healing "
                    + "if they were here before.", entity: attachment.reference)
        }
        return (content, outline)
    }

    private func part(_ index: Int, of outline: ContentOutline) async throws -> [UInt8] {
        try await TripStoreError.wrapAsync {
            try await contentFolder.worker.run { [contentFolder] in
                var found: [UInt8] = []
                try contentFolder.read(index..<index + 1, of: outline) { found = $0 }
                return found
            }
        }
    }
}
