import Events
import Platform
import TravelingSnails

/// A file that is read several times, and must not change in between.
struct KnownFile: Sendable {
    let path: String
    private let identity: FileVersion
    var size: Int64 { identity.size }

    init(_ path: String) throws(TextFormatError) {
        self.path = path
        do throws(ExportError) { identity = try InputFile(path: path).identity } catch {
            throw TextFormatError(.unreadable, error.message.replacing(path, with: "It"))
        }
    }

    /// Throws `unreadable` if it is another file or was changed since.
    func check() throws(TextFormatError) {
        do throws(ExportError) { try InputFile(path: path).check(is: identity) } catch {
            throw TextFormatError(.unreadable, error.message.replacing(path, with: "It"))
        }
    }

    func digest() throws(TextFormatError) -> Digest { try Self.digest(path) }

    static func digest(_ path: String) throws(TextFormatError) -> Digest {
        do { return try Digest(ofFile: path) } catch {
            throw TextFormatError(.unreadable, "It cannot be read: \(error.systemText)")
        }
    }
}
