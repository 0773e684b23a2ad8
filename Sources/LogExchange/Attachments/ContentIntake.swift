import Events
import Foundation
import Platform

/// Bytes that a peer sends, whose name is known before: each part is verified before it is stored, and an interrupted
/// transfer continues at its first missing part.
///
/// `@unchecked Sendable`: it is used by one task at a time.
final class ContentIntake: @unchecked Sendable {
    private let folder: ContentFolder
    let outline: ContentOutline
    private let path: String
    private let descriptor: Int32
    /// The index of the first part that is not here.
    private(set) var next = 0

    private var content: ContentID { outline.content }

    /// Continues what an earlier one stored. O(bytes stored).
    ///
    /// Throws `ContentError.busy` while another task or process receives the same bytes, or `StorageError`.
    init(_ outline: ContentOutline, in folder: ContentFolder) throws {
        self.folder = folder
        self.outline = outline
        try Folder.create(folder.incoming)
        path = "\(folder.incoming)/\(outline.content.root).part"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StorageError(errno, "create", path: path) }
        // Where another exchange has just finished, the file that was opened is in its place by now.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileIdentity.isOpenFile(descriptor, at: path) else {
            throw ContentError(
                .busy, "The bytes of \(outline.content) are being received by another exchange. Wait for it.",
                outline.content)
        }
        // After a crash a file may be longer than what reached the medium: what is there is read and compared.
        if let file = try ContentFile(path) {
            while next < content.partCount {
                let part = try file.read(content.size(ofPart: next), at: Int64(next) * Int64(ContentID.partSize))
                guard outline.verifies(part, at: next) else { break }
                next += 1
            }
        }
    }

    deinit { close(descriptor) }

    var isComplete: Bool { next == content.partCount }

    /// Stores the next part. Throws `ContentError.wrongBytes` if it is another, or `StorageError`; what came before stays.
    func put(_ part: [UInt8]) throws {
        guard outline.verifies(part, at: next) else {
            throw ContentError(
                .wrongBytes,
                "Part \(next + 1) of \(content.partCount) of \(content) has other bytes than its name says. It was not stored.",
                content)
        }
        try FileSystem.write(part, at: next * ContentID.partSize, to: descriptor, path)
        // What is not continued is removed by the log's clock.
        try folder.stamp(path)
        next += 1
    }

    /// Makes the whole durable and visible.
    func finish() throws {
        let number = ftruncate(descriptor, off_t(content.size)) == 0 ? Medium.sync(descriptor) : errno
        guard number == 0 else { throw StorageError(number, "write to", path: path) }
        try folder.place(path, as: outline)
    }
}
