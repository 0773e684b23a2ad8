import Foundation
import TripStoreTestSupport

/// The damage to one file before it is opened.
struct Damage: CustomStringConvertible {
    enum Kind: String, CaseIterable {
        /// Up to eight flipped bits.
        case flips
        /// A run of random bytes, up to five pages.
        case noise
        /// A run of zeros, up to five pages.
        case zeros
        /// The end is cut off.
        case truncation
        /// Random bytes or zeros after the end.
        case growth
        /// Two swapped pages.
        case swap
        /// A page of another file of the store.
        case foreign
        /// No bytes are left.
        case empty
        /// The file is gone.
        case removal
    }

    static let pageSize = 4096

    let kind: Kind
    /// The file's path below the image's folder.
    let path: String
    let details: String
    /// Nil if the file is gone.
    let bytes: [UInt8]?

    var description: String { "\(kind.rawValue) of \(path): \(details)" }

    /// Random damage to a file of an image.
    init(to path: String, of image: StoreImage, using generator: inout SeededRandom) {
        self.path = path
        let original = image.files[path]?.bytes ?? []
        var bytes = original
        // Small changes show what readers trust; the others are what disks and file systems do.
        let kinds = Kind.allCases + [.flips, .flips, .flips, .noise, .noise, .zeros, .truncation]
        kind = bytes.isEmpty ? .growth : kinds.randomElement(using: &generator) ?? .flips
        switch kind {
        case .flips:
            let places = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
                (Self.place(in: original, &generator), UInt8(1) << UInt8.random(in: 0...7, using: &generator))
            }
            for (offset, mask) in places { bytes[offset] ^= mask }
            details = places.map { "\($0.0)^\($0.1)" }.joined(separator: " ")
        case .noise, .zeros:
            let range = Self.run(in: original, &generator)
            for offset in range {
                bytes[offset] = kind == .zeros ? 0 : UInt8.random(in: .min ... .max, using: &generator)
            }
            details = "bytes \(range)"
        case .truncation:
            var length = Int.random(in: 0..<bytes.count, using: &generator)
            if Bool.random(using: &generator) { length = length / Self.pageSize * Self.pageSize }
            bytes.removeLast(bytes.count - length)
            details = "\(length) of \(original.count) bytes are left"
        case .growth:
            let count = Int.random(in: 1...3 * Self.pageSize, using: &generator)
            let isRandom = Bool.random(using: &generator)
            for _ in 0..<count { bytes.append(isRandom ? UInt8.random(in: .min ... .max, using: &generator) : 0) }
            details = "\(count) \(isRandom ? "random bytes" : "zeros") after \(original.count)"
        case .swap:
            let (first, second) = (Self.page(in: original, &generator), Self.page(in: original, &generator))
            Self.copy(original, second, to: first, of: &bytes)
            Self.copy(original, first, to: second, of: &bytes)
            details = "pages \(first) and \(second)"
        case .foreign:
            let others = image.files.filter { $0.key != path && !$0.value.bytes.isEmpty }.map(\.key).sorted()
            let other = others.randomElement(using: &generator) ?? path
            let source = image.files[other]?.bytes ?? []
            let (page, place) = (Self.page(in: source, &generator), Self.page(in: original, &generator))
            Self.copy(source, page, to: place, of: &bytes)
            details = "page \(place) from page \(page) of \(other)"
        case .empty:
            bytes = []
            details = "\(original.count) bytes are gone"
        case .removal:
            self.bytes = nil
            details = "\(original.count) bytes are gone with it"
            return
        }
        self.bytes = bytes
    }

    /// Mostly where something is written: the ends of preallocated files are zeros.
    private static func place(in bytes: [UInt8], _ generator: inout SeededRandom) -> Int {
        for _ in 0..<20 {
            let offset = Int.random(in: 0..<bytes.count, using: &generator)
            if bytes[offset] != 0 { return offset }
        }
        return Int.random(in: 0..<bytes.count, using: &generator)
    }

    private static func page(in bytes: [UInt8], _ generator: inout SeededRandom) -> Int {
        bytes.isEmpty ? 0 : place(in: bytes, &generator) / pageSize
    }

    private static func run(in bytes: [UInt8], _ generator: inout SeededRandom) -> Range<Int> {
        if Bool.random(using: &generator) {
            // Whole pages.
            let start = page(in: bytes, &generator) * pageSize
            return start..<min(bytes.count, start + Int.random(in: 1...5, using: &generator) * pageSize)
        }
        let start = place(in: bytes, &generator)
        return start..<min(bytes.count, start + Int.random(in: 1...600, using: &generator))
    }

    private static func copy(_ source: [UInt8], _ page: Int, to place: Int, of bytes: inout [UInt8]) {
        let part = source.dropFirst(page * pageSize).prefix(pageSize)
        for (index, byte) in part.enumerated() where place * pageSize + index < bytes.count {
            bytes[place * pageSize + index] = byte
        }
    }
}
