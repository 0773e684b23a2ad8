import Foundation
import TripFormats
import TripStore

/// An attachment in words and in JSON.
struct AttachmentText {
    private let attachment: AttachedFile
    private let place: AttachmentState

    init(_ attachment: AttachedFile, in store: TripStore) {
        self.attachment = attachment
        place = store.state(of: attachment)
    }

    var state: String {
        switch place {
        case .here: "here"
        case .missing: "missing"
        case .unreadable: "unreadable"
        case .discarded: "discarded"
        case .none: "none"
        }
    }

    /// As in "ticket.pdf, 2.1 MB, missing".
    var line: String {
        [attachment.name, Self.size(attachment.size), state == "here" ? "" : state, attachment.caption]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// Why it is not known whether the bytes are here.
    var fault: String? { if case .unreadable(let reason) = place { reason } else { nil } }

    private var file: String? { if case .here(let url) = place { url.path } else { nil } }

    func json() -> JSON {
        let owner = attachment.owner.map { owner in
            JSON.object([("kind", owner.kindJSON), ("id", .string(owner.id.uuidString))])
        }
        return .object([
            ("attachment", .string("\(attachment.id)")), ("name", .string(attachment.name)),
            ("owner", owner ?? .null), ("bytes", .optional(attachment.size)),
            ("content", .optional(attachment.content.map { "\($0)" })), ("mediaType", .string(attachment.mediaType)),
            ("caption", .string(attachment.caption)), ("state", .string(state)), ("file", .optional(file)),
            ("createdAt", .optional(attachment.createdAt?.utcText)),
        ])
    }

    /// As in "2.1 MB"; empty if it is not known.
    static func size(_ bytes: Int64?) -> String { bytes.map { Words.bytes(Int($0)) } ?? "" }
}
