/// The version of the program that first reads what a commit says, as its author names it.
///
/// A number and not a text, because it comes from others and is shown: every value is well-formed, has one form in text, and can be
/// compared.
public struct NeededVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Major ‖ minor ‖ patch, of 32, 16 and 16 bits; not 0.
    public let rawValue: UInt64

    /// Nil for 0, which names no version.
    public init?(rawValue: UInt64) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    public static func < (a: NeededVersion, b: NeededVersion) -> Bool { a.rawValue < b.rawValue }

    /// The version as in `2.1`, and with a patch as in `2.1.3`.
    public var description: String {
        let (major, minor, patch) = (rawValue >> 32, rawValue >> 16 & 0xFFFF, rawValue & 0xFFFF)
        return patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }
}
