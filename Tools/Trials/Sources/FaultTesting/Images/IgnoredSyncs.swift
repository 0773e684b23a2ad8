/// Syncs that are treated as missing: with each of these a power cut must lose something, or the images prove nothing.
public struct IgnoredSyncs: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Of the frames of the write-ahead file.
    public static let record = IgnoredSyncs(rawValue: 1)
    /// Of its header.
    public static let header = IgnoredSyncs(rawValue: 2)
    /// Of folders.
    public static let folder = IgnoredSyncs(rawValue: 4)

    /// Syncs of data files.
    public static let data = IgnoredSyncs(rawValue: 8)

    /// By the word of the command line.
    public init?(_ word: String) {
        switch word {
        case "record": self = .record
        case "header": self = .header
        case "folder": self = .folder
        case "data": self = .data
        default: return nil
        }
    }

    /// The bytes that the header takes.
    static let headerSize = 4096
}
