import Foundation

/// Media types by the endings of files' names, of what people attach most.
enum MediaTypes {
    private static let byEnding: [String: String] = [
        "pdf": "application/pdf", "pkpass": "application/vnd.apple.pkpass", "ics": "text/calendar", "txt": "text/plain",
        "md": "text/markdown", "html": "text/html", "htm": "text/html", "eml": "message/rfc822",
        "json": "application/json",
        "gpx": "application/gpx+xml", "kml": "application/vnd.google-earth.kml+xml", "jpg": "image/jpeg",
        "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "heic": "image/heic", "webp": "image/webp",
        "tif": "image/tiff", "tiff": "image/tiff", "svg": "image/svg+xml", "mov": "video/quicktime", "mp4": "video/mp4",
        "m4a": "audio/mp4", "mp3": "audio/mpeg", "zip": "application/zip",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ]

    /// Empty if it is not known.
    static func type(of name: String) -> String {
        byEnding[URL(fileURLWithPath: name).pathExtension.lowercased()] ?? ""
    }
}
