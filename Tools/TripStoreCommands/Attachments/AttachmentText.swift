import Foundation
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
        case .discarded: "discarded"
        case .none: "none"
        }
    }

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

    /// As in "2.1 MB".
    static func size(_ bytes: Int64?) -> String {
        guard let bytes else { return "" }
        let units = ["bytes", "kB", "MB", "GB"]
        var (value, unit) = (Double(bytes), 0)
        while value >= 999.95, unit < units.count - 1 {
            value /= 1000
            unit += 1
        }
        return unit == 0 ? "\(bytes) bytes" : String(format: "%.1f %@", value, units[unit] as NSString)
    }
}
