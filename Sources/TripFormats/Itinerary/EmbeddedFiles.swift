import Foundation
import Platform
import TripStore

/// Puts attachments into a page, up to its bounds.
struct EmbeddedFiles: Sendable {
    /// How many bytes are in the page so far.
    private var size: Int64 = 0

    /// The markup of an attachment; where it is left out, its name and why.
    mutating func add(
        _ file: AttachedFile, _ embedding: ItineraryPage.Embedding
    ) async -> (markup: String, leftOut: ItineraryPage.LeftOut?) {
        if file.discardedAt != nil { return out(file, "its bytes were given up for ever.") }
        let declared = file.size ?? 0
        if let reason = excess(declared, embedding) { return out(file, reason) }
        let data: Data
        do { data = try await embedding.bytes(file) } catch { return out(file, error.systemText) }
        if let reason = excess(Int64(data.count), embedding) { return out(file, reason) }
        size += Int64(data.count)
        let type = Self.type(of: data)
        let source = "data:\(type);base64,\(data.base64EncodedString())"
        let caption = HTML.plain(file.caption.isEmpty ? file.name : file.caption)
        if type.hasPrefix("image/") {
            return (
                "<figure><img src=\"\(source)\" alt=\"\(caption)\"><figcaption dir=\"auto\">\(caption)</figcaption></figure>\n",
                nil
            )
        }
        let saved = HTML.plain(Self.fileName(file.name))
        let kind = type == "application/pdf" ? "PDF, " : ""
        let note = file.caption.isEmpty ? "" : " – \(HTML.name(file.caption))"
        return (
            "<p class=\"file\"><a download=\"\(saved)\" href=\"\(source)\">\(HTML.name(file.name))</a> (\(kind)\(Words.bytes(data.count)))\(note)</p>\n",
            nil
        )
    }

    private func excess(_ bytes: Int64, _ embedding: ItineraryPage.Embedding) -> String? {
        let shown = Words.bytes(Int(clamping: bytes))
        if bytes > embedding.mostOfOne {
            return
                "it has \(shown), and at most \(Words.bytes(Int(clamping: embedding.mostOfOne))) of a file are put into a page."
        }
        if bytes > embedding.mostOfAll - size {
            return
                "with its \(shown) the page would have over \(Words.bytes(Int(clamping: embedding.mostOfAll))) of attachments."
        }
        return nil
    }

    private func out(_ file: AttachedFile, _ reason: String) -> (String, ItineraryPage.LeftOut?) {
        (
            "<p class=\"file\">\(HTML.name(file.name)) <span class=\"soft\">(not in this page)</span></p>\n",
            ItineraryPage.LeftOut(attachment: file.id, name: file.name, reason: reason)
        )
    }

    /// What the first bytes say, whatever the attachment is said to be: a browser must not take a file for a page or a script.
    private static func type(of data: Data) -> String {
        let start = [UInt8](data.prefix(12))
        if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
        if start.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
        if start.starts(with: Array("GIF8".utf8)) { return "image/gif" }
        if start.starts(with: Array("RIFF".utf8)), start.suffix(4) == Array("WEBP".utf8)[...] { return "image/webp" }
        if start.starts(with: Array("%PDF-".utf8)) { return "application/pdf" }
        return "application/octet-stream"
    }

    /// Without what would lead out of the folder where it is saved.
    private static func fileName(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        return ["", ".", ".."].contains(last) ? "attachment" : String(last.prefix(200))
    }
}
