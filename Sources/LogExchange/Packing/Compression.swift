/// How bytes are packed, for one hop between replicas or in a bundle: nothing is signed or stored packed.
///
/// The libraries are the system's, found when the first bytes are packed; without them there is `none`.
public enum Compression: String, Sendable, Hashable, CaseIterable {
    /// As they are.
    case none
    /// RFC 1950: every system has it.
    case zlib
    /// RFC 8878: smaller than zlib's, and several times as fast.
    case zstd

    /// The methods that this system can pack and unpack, the best first; `none` is the last, and always there.
    public static var available: [Compression] { CompressionLibraries.system.available }

    /// The best that this system and the other one, which named these, both have.
    package static func best(knownTo other: some Sequence<Compression>) -> Compression {
        let known = Set(other)
        return available.first { known.contains($0) } ?? .none
    }

    /// Its number in messages.
    package var number: UInt64 {
        switch self {
        case .none: 0
        case .zlib: 1
        case .zstd: 2
        }
    }

    /// Nil for one that is unknown here.
    package init?(number: UInt64) {
        guard let known = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = known
    }

    /// Of blocks of 1 MiB, of flights that were imported, it leaves 22.5 % at 400 MB/s; level 1 leaves 25 % at 590, level 5 21.7 %
    /// at 170, level 19 19.8 % at 3.
    static let zstdLevel: Int32 = 3
    /// 26.5 % at 53 MB/s; level 9 leaves 25.8 % at 23.
    static let zlibLevel: Int32 = 6
}
